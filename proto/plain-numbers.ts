/**
 * 64-bit numbers of the wire are plain numbers (ours stay far below 2^53), even where some package has brought Long along.
 * To be imported before the generated code, which settles its defaults when it is loaded.
 */
import protobuf from 'protobufjs/minimal.js';

protobuf.util.Long = null as never;
protobuf.configure();
