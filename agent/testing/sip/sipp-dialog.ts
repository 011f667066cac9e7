/** SIPp scenarios from a few words: what one end of a dialog receives and sends, in order. */

export type Step =
  | {
      readonly recv: string;
      readonly check?: { readonly header: string; readonly holds: string };
      readonly keeps?: boolean;
    }
  /** A response to the request that came last. */
  | { readonly answer: string; readonly lines?: readonly string[]; readonly body?: string; readonly type?: string }
  /** A request within the dialog. */
  | {
      readonly send: string;
      readonly cseq: number;
      readonly lines?: readonly string[];
      readonly body?: string;
      readonly type?: string;
    }
  /** The first INVITE of a caller. */
  | { readonly invite: string; readonly lines?: readonly string[]; readonly body?: string }
  | { readonly pauseMs: number };

export const sdp = (direction: string, version = 1): string =>
  [
    'v=0',
    `o=sipp 1 ${version} IN IP[local_ip_type] [local_ip]`,
    's=-',
    'c=IN IP[local_ip_type] [local_ip]',
    't=0 0',
    'm=audio 6000 RTP/AVP 0 8',
    `a=${direction}`,
    '',
  ].join('\n');

const TAG = 'peer[call_number]';
const body = ({
  body: text = '',
  type = 'application/sdp',
}: {
  readonly body?: string;
  readonly type?: string;
}): string[] =>
  text === '' ? ['Content-Length: 0', '', ''] : [`Content-Type: ${type}`, 'Content-Length: [len]', '', text];
const message = (lines: readonly string[], attributes = ''): string =>
  `<send${attributes}><![CDATA[\n${lines.join('\n')}\n]]></send>`;
const CONTACT = 'Contact: <sip:peer@[local_ip]:[local_port]>';

function stepXml(step: Step, isCaller: boolean): string {
  if ('pauseMs' in step) return `<pause milliseconds="${step.pauseMs}" />`;
  if ('recv' in step) {
    const kind = /^\d/.test(step.recv) ? `response="${step.recv}"` : `request="${step.recv}"`;
    const actions: string[] = [];
    // The other end, from its first message: From and Contact of the INVITE, or To and Contact of the 200.
    if (step.keeps) {
      actions.push(
        `<ereg regexp=".*" search_in="hdr" header="${isCaller ? 'To:' : 'From:'}" assign_to="1" />`,
        '<ereg regexp="sip:[^&gt;]*" search_in="hdr" header="Contact:" assign_to="2" />',
        `<ereg regexp=".*" search_in="hdr" header="${isCaller ? 'From:' : 'To:'}" assign_to="3" />`,
      );
    }
    if (step.check !== undefined) {
      const where =
        step.check.header === 'body' ? 'search_in="body"' : `search_in="hdr" header="${step.check.header}:"`;
      actions.push(`<ereg regexp="${step.check.holds}" ${where} check_it="true" assign_to="9" />`);
    }
    return `<recv ${kind}${isCaller ? ' rrs="true"' : ''}>${actions.length === 0 ? '' : `<action>${actions.join('')}</action>`}</recv>`;
  }
  const { lines = [] } = step;
  if ('answer' in step) {
    return message([
      `SIP/2.0 ${step.answer}`,
      '[last_Via:]',
      '[last_From:]',
      `[last_To:]${isCaller ? '' : '@TAG@'}`,
      '[last_Call-ID:]',
      '[last_CSeq:]',
      CONTACT,
      ...lines,
      ...body(step),
    ]);
  }
  if ('invite' in step) {
    return message(
      [
        `INVITE sip:${step.invite}@[remote_ip]:[remote_port] SIP/2.0`,
        'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
        `From: <sip:peer@carillon.test>;tag=${TAG}`,
        `To: <sip:${step.invite}@carillon.test>`,
        'Call-ID: [call_id]',
        'CSeq: 1 INVITE',
        CONTACT,
        'Max-Forwards: 70',
        ...lines,
        ...body(step),
      ],
      ' retrans="500"',
    );
  }
  return message(
    [
      `${step.send} [$2] SIP/2.0`,
      'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
      `From:[$3]${isCaller ? '' : `;tag=${TAG}`}`,
      'To:[$1]',
      '[last_Call-ID:]',
      `CSeq: ${step.cseq} ${step.send}`,
      CONTACT,
      'Max-Forwards: 70',
      ...lines,
      ...body(step),
    ],
    step.send === 'ACK' ? '' : ' retrans="500"',
  );
}

/** `isCaller`: the scenario places the call. The first response of a callee creates the dialog; its tag stays. */
export function scenarioXml(steps: readonly Step[], isCaller: boolean): string {
  let inDialog = false;
  let answer = '';
  const parts = steps.map((step) => {
    if ('answer' in step) ({ answer } = step);
    // After the ACK to the first 2xx, requests already have our tag.
    else if ('recv' in step && step.recv === 'ACK' && answer.startsWith('200')) inDialog = true;
    return stepXml(step, isCaller).replace('@TAG@', inDialog ? '' : `;tag=${TAG}`);
  });
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="dialog">\n${parts.join('\n')}\n<Reference variables="${[...new Set(parts.join('').match(/(?<=assign_to=")\d/g))].join(',')}" />\n</scenario>\n`;
}
