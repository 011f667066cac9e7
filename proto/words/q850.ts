/**
 * Cause values of ITU-T Q.850 (05/2018), table 1, as in a `Reason` header (RFC 3326): their names, and the party at fault. This
 * file has no imports, because the dashboard uses it, too.
 */
import type { FindingParty } from './findings.ts';

type Row = { readonly name: string; readonly party: FindingParty | 'near end' };
const row = (name: string, party: Row['party']): Row => ({ name, party });

export const Q850: Readonly<Record<number, Row>> = {
  1: row('Unallocated number', 'near end'),
  2: row('No route to the transit network', 'network'),
  3: row('No route to the destination', 'network'),
  6: row('Channel unacceptable', 'network'),
  16: row('Normal call clearing', 'far end'),
  17: row('User busy', 'far end'),
  18: row('No user responding', 'far end'),
  19: row('No answer from the user', 'far end'),
  20: row('Subscriber absent', 'far end'),
  21: row('Call rejected', 'far end'),
  22: row('Number changed', 'near end'),
  23: row('Redirected to a new destination', 'network'),
  25: row('Exchange routing error', 'network'),
  26: row('Non-selected user clearing', 'network'),
  27: row('Destination out of order', 'network'),
  28: row('Invalid number format', 'near end'),
  29: row('Facility rejected', 'network'),
  30: row('Response to a status enquiry', 'unknown'),
  31: row('Normal, unspecified', 'unknown'),
  34: row('No circuit available', 'network'),
  38: row('Network out of order', 'network'),
  39: row('Permanent frame mode connection out of service', 'network'),
  41: row('Temporary failure', 'network'),
  42: row('Switching equipment congestion', 'network'),
  43: row('Access information discarded', 'network'),
  44: row('Requested circuit not available', 'network'),
  46: row('Precedence call blocked', 'network'),
  47: row('Resource unavailable, unspecified', 'network'),
  49: row('Quality of service not available', 'network'),
  50: row('Requested facility not subscribed', 'near end'),
  53: row('Outgoing calls barred within the closed user group', 'near end'),
  55: row('Incoming calls barred within the closed user group', 'far end'),
  57: row('Bearer capability not authorized', 'near end'),
  58: row('Bearer capability not available now', 'network'),
  63: row('Service or option not available', 'network'),
  65: row('Bearer capability not implemented', 'network'),
  66: row('Channel type not implemented', 'network'),
  69: row('Requested facility not implemented', 'network'),
  79: row('Service or option not implemented', 'network'),
  81: row('Invalid call reference', 'network'),
  87: row('User not a member of the closed user group', 'near end'),
  88: row('Incompatible destination', 'far end'),
  95: row('Invalid message, unspecified', 'network'),
  96: row('Mandatory information element missing', 'network'),
  97: row('Message type not implemented', 'network'),
  98: row('Message not compatible with the call state', 'network'),
  99: row('Information element not implemented', 'network'),
  100: row('Invalid information element contents', 'network'),
  101: row('Message not compatible with the call state', 'network'),
  102: row('Recovery on timer expiry', 'network'),
  103: row('Parameter not implemented', 'network'),
  111: row('Protocol error, unspecified', 'network'),
  127: row('Interworking, unspecified', 'unknown'),
};

/** `No circuit available`; a value that is not in the table is named by its number. */
export const q850Name = (cause: number): string => Q850[cause]?.name ?? `Cause ${cause}`;
