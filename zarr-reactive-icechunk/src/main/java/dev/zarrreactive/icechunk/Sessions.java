package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import dev.zarrreactive.internal.icechunk.RepoState;
import dev.zarrreactive.internal.icechunk.SnapshotEntry;
import dev.zarrreactive.internal.icechunk.SnapshotWriter;
import dev.zarrreactive.internal.icechunk.TransactionWriter;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.StoreCapability;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Makes repositories, and opens sessions in them. */
final class Sessions {
  private static final long INLINE_BYTES = 512;

  private Sessions() {}

  /** Emits a source of ids. */
  static Mono<ObjectIds> ids() {
    return Mono.fromSupplier(() -> new ObjectIds(Environment.current().secret(ObjectIds.KEY_BYTES)))
        .subscribeOn(IcechunkThreads.decoding());
  }

  /** Emits an error for a repository that is read alone. */
  static Mono<Void> checkVersion(IcechunkRepository repository) {
    return repository.specVersion() == 2
        ? Mono.empty()
        : Mono.error(
            () ->
                new UnsupportedFeatureException(
                    repository
                        + " cannot be written: version 1 of Icechunk is read alone. Icechunk's own"
                        + " upgrade_icechunk_repository makes a repository of version 2 of it",
                    Location.UNKNOWN));
  }

  static Mono<IcechunkSession> open(
      IcechunkRepository repository, RepositoryFiles files, String branch) {
    return checkVersion(repository)
        .then(RepoUpdates.checkStore(files.store()))
        .then(Mono.defer(Sessions::ids))
        .flatMap(
            ids ->
                new RepoUpdates(files, ids)
                    .read()
                    .flatMap(read -> open(repository, files, branch, ids, read.state())));
  }

  private static Mono<IcechunkSession> open(
      IcechunkRepository repository,
      RepositoryFiles files,
      String branch,
      ObjectIds ids,
      RepoState state) {
    state.checkWritable("a session");
    String tip = state.branches().get(branch);
    if (tip == null) {
      return Mono.error(() -> Missing.branch(files, branch, state.branches().keySet()));
    }
    long inline =
        Math.max(0, state.config().integer("inline_chunk_threshold_bytes").orElse(INLINE_BYTES));
    return files
        .snapshot(tip)
        .map(
            snapshot ->
                new IcechunkSession(
                    repository, files, branch, new ChangeSet(snapshot, ids), ids, inline, null));
  }

  /** Opens a fork of a session. */
  static Mono<IcechunkSession> openFork(
      IcechunkRepository repository, RepositoryFiles files, Bytes fork) {
    return checkVersion(repository)
        .then(Mono.defer(() -> checkWrite(files)))
        .then(Mono.defer(Sessions::ids))
        .flatMap(
            ids -> {
              ForkState state = ForkReader.state(fork);
              return files
                  .snapshot(state.snapshot())
                  .publishOn(IcechunkThreads.decoding())
                  .map(
                      snapshot ->
                          new IcechunkSession(
                              repository,
                              files,
                              state.branch(),
                              ChangeSet.of(snapshot, ids, state),
                              ids,
                              state.mostInline(),
                              fork));
            });
  }

  private static Mono<Void> checkWrite(RepositoryFiles files) {
    return files.store().capabilities().contains(StoreCapability.WRITE)
        ? Mono.empty()
        : Mono.error(
            () ->
                StoreCapability.WRITE.refusal(
                    files.store(), "take the chunks of a fork", Location.UNKNOWN));
  }

  /** Makes a repository in a store that has none. */
  static Mono<Void> create(RepositoryFiles files) {
    return RepoUpdates.checkStore(files.store())
        .then(Mono.defer(() -> Icechunk.find(files, true)).hasElement())
        .flatMap(
            isThere ->
                isThere
                    ? Mono.error(() -> exists(files, null))
                    : Mono.just(files).publishOn(IcechunkThreads.decoding()))
        .flatMap(Sessions::write);
  }

  private static StoreException exists(RepositoryFiles files, @Nullable Throwable cause) {
    return new StoreException(
        "there is an Icechunk repository in " + files.store() + "; open it",
        Location.ofKey("repo"),
        cause);
  }

  private static Mono<Void> write(RepositoryFiles files) {
    SnapshotEntry first =
        new SnapshotEntry(
            RepoState.FIRST_SNAPSHOT,
            null,
            Environment.current().now().truncatedTo(ChronoUnit.MICROS),
            "Repository initialized",
            JsonObject.EMPTY.with("__icechunk", JsonObject.EMPTY.with("is_root", true)));
    Bytes snapshot = SnapshotWriter.write(first, List.of(), List.of());
    Bytes log = new TransactionWriter(first.id()).finish();
    Bytes repo = RepoState.first(first).write();
    return put(files, "snapshots/" + first.id(), snapshot)
        .then(Mono.defer(() -> put(files, "transactions/" + first.id(), log)))
        .then(Mono.defer(() -> files.store().set(RefsInRepo.KEY, repo, Precondition.ABSENT)))
        .onErrorMap(PreconditionFailedException.class, e -> exists(files, e));
  }

  private static Mono<Void> put(RepositoryFiles files, String key, Bytes file) {
    return files.store().set(StoreKey.of(key), file);
  }
}
