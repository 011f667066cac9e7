/**
 * The protobuf library, with 64-bit numbers of the wire as plain numbers (ours stay far below 2^53), even if a package has loaded
 * Long. The generated code imports the library from here, because it fixes its defaults when it is loaded.
 */
import protobuf from 'protobufjs/minimal.js';

protobuf.util.Long = null as never;
protobuf.configure();

export default protobuf;
