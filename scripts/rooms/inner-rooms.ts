/** The order of folders within large rooms. */

/**
 * Each room -> its folders, bottom up: a folder may import those before it, and the files of the room that are in no folder. Those
 * files may import every folder.
 */
export const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  'control-plane/domain': ['statistics', 'run', 'figures', 'pairing', 'probe', 'sums', 'project', 'messages', 'report'],
  'control-plane/store': ['embedded', 'secrets', 'run', 'measured', 'agents', 'notify', 'probe', 'project', 'people'],
  'control-plane/operations': [
    'request',
    'submission',
    'notify',
    'project',
    'run-view',
    'probe',
    'run',
    'agents',
    'preflight',
    'people',
    'provision',
  ],
  'control-plane/dashboard/show': [
    'basics',
    'heard',
    'people',
    'project',
    'sip-accounts',
    'webhooks',
    'workers',
    'call',
    'test-form',
    'probe',
    'run',
    'palette',
  ],
  'agent/rtp': ['figures', 'ice', 'send', 'rtcp', 'video', 'receive', 'sockets', 'loop', 'threads'],
  'control-plane/contract': ['test-settings', 'run', 'probe', 'project', 'people', 'notify'],
  'control-plane/cli': ['text', 'session', 'run', 'show', 'project', 'dev'],
  media: ['codec', 'rtp', 'files', 'rtcp', 'quality', 'dtmf', 'ice', 'srtp', 'video', 'impairment', 'audio', 'sdp'],
  scripts: ['rooms', 'site', 'start', 'demo-run', 'peers', 'package', 'test-run', 'check', 'e2e', 'measure'],
};
