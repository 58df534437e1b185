package dev.zarrreactive.icechunk;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A changed node as it goes to a fork, or comes back from one.
 *
 * @param isNew true for a node that the base does not have; of a node that comes back: one that the
 *     session of the fork did not have
 * @param rank the number of dimensions; negative for a group
 * @param write the number of the write of the document
 * @param chunkWrite the number of the last change of a chunk
 * @param kept the numbers of chunks along the axes that are left of the base's; null for a new node
 *     and for a group
 * @param document the new document; null where it was not changed
 * @param before of a node that comes back: the {@linkplain ChunkChanges#stamp stamp} that each
 *     entry of {@code chunks} had in the session of the fork; null where all are 0
 */
@SuppressWarnings("ArrayRecordComponent")
record ForkedNode(
    String path,
    long id,
    boolean isNew,
    int rank,
    long write,
    long chunkWrite,
    @Nullable List<Long> kept,
    @Nullable NodeDocument document,
    ChunkChanges chunks,
    long @Nullable [] before) {

  /** The stamp that an entry had in the session of the fork. */
  long before(int entry) {
    long[] all = before;
    return all == null ? 0 : all[entry];
  }
}
