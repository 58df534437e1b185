package dev.zarrreactive.observation;

/**
 * One operation on a node: one subscription to what a public method gave.
 *
 * @param id unlike that of every other observed operation of this process
 * @param kind what is done
 * @param path the path of the node in the store, such as {@code /a/b}
 */
public record ZarrOperation(long id, Kind kind, String path) {
  /** What is done. */
  public enum Kind {
    /** Metadata of one node are read. */
    OPEN,
    /** It is looked whether a node, or a chunk, is there. */
    EXISTS,
    /** The nodes below a group are found and read. */
    LIST,
    /** A node is created, or its attributes are changed, or metadata consolidated. */
    WRITE_METADATA,
    /** A node is erased. */
    ERASE,
    /** A selection is read into one array. */
    READ,
    /** A selection is read chunk by chunk. */
    READ_CHUNKS,
    /** A selection is read as bytes, piece by piece. */
    READ_BYTES,
    /** One chunk is read, decoded or as it is stored. */
    READ_CHUNK,
    /** Elements, or chunks, are written. */
    WRITE
  }
}
