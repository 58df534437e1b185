package dev.zarrreactive.store.zip;

/**
 * A value in an archive that is being written.
 *
 * @param offset where its local header begins
 * @param dataOffset where its bytes begin
 */
record WrittenEntry(long offset, long dataOffset, int size, int crc) {}
