/** The file that `carillon init` writes. */
export const SAMPLE = `# A project of Carillon: \`carillon dev\` runs it here, \`carillon apply\` makes it on a control plane.
slug: first
name: First calls
tests:
  - slug: first-calls
    name: Twenty calls among agents
    buildup: 4            # seconds over which the calls begin
    durationSeconds: 5    # how long each lasts
    groups:
      - name: callers
        registrar: cloud  # built in: agents call each other, no SIP server is needed
        callee: { mode: GROUP, group: callees }
        placement: { mode: REGION, region: local }
        subPopulations: [{ name: all, role: CALLER, endpoints: 20 }]
      - name: callees
        registrar: cloud
        callee: { mode: RECEIVE }
        placement: { mode: REGION, region: local }
        subPopulations: [{ name: all, role: CALLEE, endpoints: 20 }]
    thresholds:
      - { metricKey: successShare, greenValue: 100, orangeValue: 100 }
      - { metricKey: pdd, greenValue: 500, orangeValue: 2000 }   # milliseconds, 95th percentile
# To call a server of yours, put it here and name it in place of cloud:
# registrars:
#   - slug: pbx
#     name: PBX
#     uri: "sip:192.0.2.10:5060"
#     sipAccounts:
#       - { username: "1001", password: "env:SIP_1001" }
`;
