package dev.zarrreactive.cli.location;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.icechunk.IcechunkChanges;
import dev.zarrreactive.icechunk.IcechunkSession;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import reactor.core.publisher.Mono;

/**
 * The commit that a command would make, for a dry run. Documents of nodes are changed in the
 * session, which keeps them in memory; of chunks that would be written only the numbers are known.
 * Then the session gives its changes up.
 *
 * @param branch the branch that it would go to
 * @param snapshot the snapshot that it would follow
 */
public record CommitForecast(String branch, String snapshot, IcechunkChanges changes) {
  /**
   * Emits the commit of what a store has changed so far, and gives these changes up; empty for a
   * store whose changes are no commit.
   *
   * @param chunks the number of chunks that would be written, by the path of their array
   */
  public static Mono<CommitForecast> of(Store store, Map<NodePath, BigInteger> chunks) {
    return Mono.justOrEmpty(IcechunkSession.of(store))
        .flatMap(
            session ->
                session
                    .pending()
                    .map(
                        pending ->
                            new CommitForecast(
                                session.branch(), session.snapshot(), with(pending, chunks)))
                    .flatMap(forecast -> session.discard().thenReturn(forecast)));
  }

  /** Returns true for a store whose changes are a commit. */
  public static boolean isOf(Store store) {
    return IcechunkSession.of(store).isPresent();
  }

  /**
   * Notes a new node in a session with the groups above it, or does nothing where the node is there
   * and is not replaced, or where the store is no session.
   *
   * @param replaces whether a node that is there is erased first, with all below it
   */
  public static Mono<Void> note(Store store, NodePath path, NodeMetadata node, boolean replaces) {
    Optional<IcechunkSession> session = IcechunkSession.of(store);
    if (session.isEmpty()) {
      return Mono.empty();
    }
    return (replaces ? store.erasePrefix(path.prefix()) : Mono.<Void>empty())
        .then(Mono.defer(() -> store.get(node.documentKey(path)).hasElement()))
        .flatMap(isThere -> isThere ? Mono.empty() : create(store, path, node));
  }

  private static Mono<Void> create(Store store, NodePath path, NodeMetadata node) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    return node instanceof ArrayMetadata array
        ? hierarchy.createArray(path.value(), array).then()
        : hierarchy.createGroup(path.value(), (GroupMetadata) node).then();
  }

  private static IcechunkChanges with(IcechunkChanges pending, Map<NodePath, BigInteger> chunks) {
    SortedMap<String, Long> all = new TreeMap<>(pending.chunks());
    chunks.forEach(
        (path, count) -> {
          if (count.signum() > 0) {
            all.merge(
                path.value(),
                count.bitLength() < Long.SIZE ? count.longValue() : Long.MAX_VALUE,
                Math::max);
          }
        });
    return new IcechunkChanges(
        pending.created(), pending.deleted(), pending.updated(), all, pending.moved());
  }

  /** Returns the sentence, and the lines of what is changed. */
  public String text() {
    return (changes.isEmpty() ? "Nothing would be committed" : "Would commit")
        + " to branch "
        + branch
        + ", which is at "
        + snapshot
        + (changes.isEmpty() ? "." : ":" + ChangedNodes.lines(changes));
  }

  /** Returns the commit as JSON. */
  public JsonObject json() {
    return JsonObject.EMPTY
        .with("branch", branch)
        .with("parent", snapshot)
        .with("changes", ChangedNodes.json(changes));
  }

  /** Prints the commit that a store would make, where it would make one. */
  public static Mono<Void> print(
      Store store, Map<NodePath, BigInteger> chunks, CommandConsole console) {
    return of(store, chunks)
        .publishOn(console.thread())
        .doOnNext(forecast -> console.out().println(forecast.text()))
        .then();
  }
}
