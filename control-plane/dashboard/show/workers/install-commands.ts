/** The commands for an agent's host, for each kind of installation (docs/guide/agents.md, agent/install/). */

export type InstallMethod = { readonly name: string; readonly needs: string; readonly command: string };

/** All others need a file of a release. */
export const CHECKOUT = 'Checkout';
export const DEBIAN = 'Debian package';

/** `url` is the address for agents (contract/reach.ts). */
export function installWays(url: string, joinToken: string, version: string): readonly InstallMethod[] {
  const enroll = `enroll --url ${url} --token ${joinToken}`;
  return [
    {
      name: CHECKOUT,
      needs: 'In a checkout of the repository, with git and Node.js 20 or later. The quickest way to try Carillon.',
      command: `CARILLON_URL=${url} CARILLON_JOIN_TOKEN=${joinToken} npm run agent`,
    },
    {
      name: 'npm package',
      needs: 'With Node.js 24.',
      command: `npm install -g ./carillon-agent-${version}.tgz\ncarillon-agent ${enroll}\ncarillon-agent run`,
    },
    {
      name: 'Single file',
      needs: 'With nothing but glibc. For 64-bit ARM it is carillon-agent-linux-arm64.',
      command: `chmod +x carillon-agent-linux-x64\n./carillon-agent-linux-x64 ${enroll}\n./carillon-agent-linux-x64 run`,
    },
    {
      name: DEBIAN,
      needs: 'As root on Debian 10 or Ubuntu 20.04 and later. For 64-bit ARM it is the file that ends in _arm64.deb.',
      command: [
        `apt install ./carillon-agent_${version}_amd64.deb`,
        `CARILLON_AGENT_DIR=/var/lib/carillon-agent carillon-agent ${enroll}`,
        'systemctl enable --now carillon-agent',
      ].join('\n'),
    },
    {
      name: 'systemd',
      needs:
        'As root, with the program in /usr/local/bin. The unit and the policy are files of the npm package. The unit starts the agent at boot.',
      command: [
        'install -m 644 carillon-agent.service /etc/systemd/system/',
        'install -D -m 644 policy.yaml /etc/carillon-agent/policy.yaml',
        `CARILLON_AGENT_DIR=/var/lib/carillon-agent carillon-agent ${enroll}`,
        'systemctl daemon-reload',
        'systemctl enable --now carillon-agent',
      ].join('\n'),
    },
  ];
}
