/** What a single packet tells of the frame that it belongs to, as bits: no allocation for a packet. */

/** Its payload begins the frame. */
export const STARTS_FRAME = 1;
/** The frame is a keyframe. A keyframe's later packets may not tell. */
export const IS_KEYFRAME = 2;
/** It is no payload of the codec. */
export const MALFORMED = 4;
