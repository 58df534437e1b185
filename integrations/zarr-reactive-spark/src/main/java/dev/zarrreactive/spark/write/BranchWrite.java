package dev.zarrreactive.spark.write;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.icechunk.IcechunkCommit;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSession;
import dev.zarrreactive.icechunk.IcechunkSnapshot;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.partition.StoreDescription;
import dev.zarrreactive.store.StoreAdapter.Segment;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * The driver's session of a write to a branch of an Icechunk repository, and its one commit.
 *
 * @param hierarchy at the location, in the session
 * @param store the place of the branch
 * @param commitment what ends the write
 */
record BranchWrite(
    ZarrHierarchy hierarchy,
    IcechunkSession session,
    StoreDescription store,
    IcechunkCommit commitment) {
  private static final String ICECHUNK = "icechunk";

  /** The names in the metadata of a commit that tell of a batch. */
  private static final String STREAM = "spark.stream";

  private static final String BATCH = "spark.batch";

  /**
   * Opens a session; an error for a version that is no branch.
   *
   * @param application the id of the application, which the metadata of the commit have
   */
  static Mono<BranchWrite> open(WriteOptions options, String application) {
    StoreDescription given = options.store();
    StoreDescription store = Pipeline.isOne(given.location()) ? given : given.inside(ICECHUNK);
    String named = options.text("message");
    String message = named == null ? "written by the Spark application " + application : named;
    JsonObject metadata = JsonObject.EMPTY.with("spark.app.id", application);
    WriteOptions.Batch batch = options.batch();
    JsonObject ofCommit =
        batch == null
            ? metadata
            : metadata.with(STREAM, batch.stream()).with(BATCH, batch.number());
    return store
        .with("message", message)
        .open(ZarrOptions.defaults().withConsolidatedMetadata(false))
        .map(
            hierarchy ->
                new BranchWrite(
                    hierarchy,
                    IcechunkSession.of(hierarchy.store()).orElseThrow(),
                    store,
                    IcechunkCommit.of(message).withMetadata(ofCommit)));
  }

  /**
   * Emits true if the history before this write has a batch, or a later one of its stream: the last
   * commit of the stream tells it.
   *
   * @param repository as it was at any time
   */
  Mono<Boolean> has(WriteOptions.Batch batch, IcechunkRepository repository) {
    return repository
        .refresh()
        .flatMapMany(now -> now.history(IcechunkVersion.snapshot(session.snapshot())))
        .map(IcechunkSnapshot::metadata)
        .filter(told -> new JsonString(batch.stream()).equals(told.get(STREAM)))
        .next()
        .map(told -> told.integer(BATCH).orElse(-1) >= batch.number())
        .defaultIfEmpty(false);
  }

  /** Emits the session as it is now, for tasks. */
  Mono<TaskStore> forTasks() {
    return Mono.zip(
        store.pin(),
        session.fork(),
        (version, fork) -> new TaskStore(version, fork.toByteArray(), path()));
  }

  /** Returns the path in the repository at which the location begins. */
  private String path() {
    Segment last = Objects.requireNonNull(Pipeline.parse(store.location()).last());
    String body = last.body();
    if (!body.startsWith("//")) {
      return last.path();
    }
    int slash = body.indexOf('/', 2);
    return slash < 0 ? "" : Segment.path(body.substring(slash));
  }

  Mono<Void> commit() {
    return session.commit(commitment).then();
  }
}
