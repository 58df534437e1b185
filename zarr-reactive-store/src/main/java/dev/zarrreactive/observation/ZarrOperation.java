package dev.zarrreactive.observation;

/**
 * One operation on a node: one subscription to the publisher of a public method.
 *
 * @param id a number that is unique among the observed operations of this process
 * @param kind the kind of operation
 * @param path the path of the node in the store, such as {@code /a/b}
 */
public record ZarrOperation(long id, Kind kind, String path) {
  /** The kinds of operations. */
  public enum Kind {
    /** Reads the metadata of one node. */
    OPEN,
    /** Checks whether a node or a chunk exists. */
    EXISTS,
    /** Lists and reads the nodes below a group. */
    LIST,
    /** Creates a node, changes its attributes or its shape, or consolidates metadata. */
    WRITE_METADATA,
    /** Erases a node. */
    ERASE,
    /** Reads a selection into one array. */
    READ,
    /** Reads a selection chunk by chunk. */
    READ_CHUNKS,
    /** Reads a selection as a stream of bytes. */
    READ_BYTES,
    /** Reads one chunk, decoded or encoded. */
    READ_CHUNK,
    /** Writes elements or chunks. */
    WRITE
  }
}
