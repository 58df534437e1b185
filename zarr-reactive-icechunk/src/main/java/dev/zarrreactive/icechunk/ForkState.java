package dev.zarrreactive.icechunk;

import dev.zarrreactive.icechunk.ChangeSet.Gone;
import java.util.List;
import java.util.Map;

/**
 * What a fork begins with: the state of its session.
 *
 * @param session the id of the session
 * @param snapshot the base of the session
 * @param mostInline the most bytes of an inline chunk
 * @param clock the number of the last write
 * @param gone the nodes of the base that are gone, by path
 */
record ForkState(
    String session,
    String branch,
    String snapshot,
    long mostInline,
    long clock,
    Map<String, Gone> gone,
    List<ForkedNode> nodes) {}
