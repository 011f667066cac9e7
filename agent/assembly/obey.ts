/** Passes an order of the control plane to the book. A repeated order has no effect. */
import type { wire } from '@carillon/proto';
import { uuidText } from '@carillon/proto/base/uuid.ts';
import type { Link } from '../link/link.ts';
import type { Command } from '../link/link-options.ts';
import type { Book } from '../run/allocation/book.ts';
import { decodeSteps } from '../run/order/decode-load.ts';

export function obey(command: Command, book: Book, link: Link): void {
  const { allocate, start, finish, stop, breakOff, changeLoad } = command as Command & {
    allocate?: wire.agent.v1.Allocation | null;
    start?: wire.agent.v1.Start | null;
    finish?: wire.agent.v1.Finish | null;
    stop?: wire.agent.v1.Stop | null;
    breakOff?: wire.agent.v1.BreakOff | null;
    changeLoad?: wire.agent.v1.ChangeLoad | null;
  };
  if (allocate) void book.allocate(uuidText(allocate.allocationId), uuidText(allocate.runId), allocate);
  if (start) book.start(start.allocationIds.map(uuidText), start.startUnixMs - link.clock.offsetMs);
  if (finish) book.finish(finish.allocationIds.map(uuidText));
  if (stop) book.stop(stop.allocationIds.map(uuidText), stop.reason);
  const steps = changeLoad ? decodeSteps(changeLoad.steps) : null;
  if (changeLoad && steps) book.changeLoad(changeLoad.allocationIds.map(uuidText), steps);
  if (breakOff) {
    const untilMs = breakOff.untilUnixMs === 0 ? Number.POSITIVE_INFINITY : breakOff.untilUnixMs - link.clock.offsetMs;
    book.breakOff(breakOff.allocationIds.map(uuidText), untilMs, breakOff.reason);
  }
}
