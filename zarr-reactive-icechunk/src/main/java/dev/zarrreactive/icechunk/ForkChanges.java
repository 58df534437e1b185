package dev.zarrreactive.icechunk;

import java.util.List;
import java.util.Map;

/**
 * What a fork has changed since it was made.
 *
 * @param session the id of the session that it was made of
 * @param snapshot the base of both
 * @param clock the number of the last write of the session when the fork was made
 * @param removed the ids of the nodes that the session had and the fork has not, by path
 */
record ForkChanges(
    String session,
    String snapshot,
    long clock,
    Map<String, Long> removed,
    List<ForkedNode> nodes) {}
