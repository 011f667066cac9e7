/**
 * 64-bit numbers of the wire are plain numbers (ours stay far below 2^53), even if a package has loaded Long. Must be
 * imported before the generated code, which fixes its defaults on load.
 */
import protobuf from 'protobufjs/minimal.js';

protobuf.util.Long = null as never;
protobuf.configure();
