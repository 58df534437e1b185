package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.icechunk.SnapshotEntry;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.internal.icechunk.TransactionFile;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.virtual.VirtualContainers;
import java.util.Optional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An Icechunk repository as it was when it was opened or refreshed: branches, tags, and the
 * snapshots that they lead to, each of which is a store that is read. Immutable and thread-safe.
 *
 * <p><b>Requests.</b> In a repository of version 2 branches, tags and history are in memory, and a
 * store costs the request of its snapshot. In version 1 each branch, tag and snapshot is a request,
 * made when it is asked for; only {@code main} is known. Snapshots and manifests are kept by their
 * ids, up to {@link IcechunkOptions#withCacheBytes}, for all stores of this repository and of the
 * repositories that {@link #refresh} makes of it.
 *
 * <p>Publishers are cold and lazy, signals arrive on the subscriber's thread or on threads of the
 * store or of this module. A cancel ends the requests that nobody else waits for. A damaged file is
 * a {@link dev.zarrreactive.error.StoreException} with its key.
 */
public final class IcechunkRepository {
  private static final int TOGETHER = 16;

  private final RepositoryFiles files;
  private final Refs refs;

  IcechunkRepository(RepositoryFiles files, Refs refs) {
    this.files = files;
    this.refs = refs;
  }

  /** The version of the specification, 1 or 2; that of 2.1 is 2. */
  public int specVersion() {
    return refs.specVersion();
  }

  /** What the repository allows. */
  public IcechunkStatus status() {
    return refs.status();
  }

  /** Emits the branches, by their names. Version 1 needs a store that lists. */
  public Flux<IcechunkRef> branches() {
    return refs.branches();
  }

  /** Emits the tags that were not deleted, by their names. Version 1 needs a store that lists. */
  public Flux<IcechunkRef> tags() {
    return refs.tags();
  }

  /** Emits the places that the repository names for its virtual chunks; allows none of them. */
  public Flux<IcechunkContainer> containers() {
    return refs.containers();
  }

  /**
   * Emits what is told of the snapshot of a version; an error where there is none. It costs a
   * request for an id that is not in the history of version 2.
   */
  public Mono<IcechunkSnapshot> snapshot(IcechunkVersion version) {
    return refs.snapshotOf(version)
        .flatMap(
            id ->
                refs.entry(id)
                    .switchIfEmpty(Mono.defer(() -> files.snapshot(id)).map(SnapshotFile::entry)))
        .map(IcechunkRepository::shown);
  }

  /**
   * Emits the snapshot of a version and those before it, newest first. Version 1 makes a request
   * for each, one after the other and at most one ahead of the demand.
   */
  public Flux<IcechunkSnapshot> history(IcechunkVersion version) {
    return refs.snapshotOf(version).flatMapMany(refs::history).map(IcechunkRepository::shown);
  }

  /**
   * Emits what the commit of a snapshot has changed, as its transaction log tells it; nothing for
   * the first snapshot of a repository, which may have no log. It costs the requests of the log, of
   * the snapshot and of the one before, as far as they are not cached.
   */
  public Mono<IcechunkChanges> changes(IcechunkVersion version) {
    return snapshot(version)
        .flatMap(
            told ->
                Mono.zip(log(told), files.snapshot(told.id()), before(told))
                    .map(
                        all ->
                            IcechunkChanges.of(
                                all.getT1().orElse(null), all.getT2(), all.getT3().orElse(null))));
  }

  private Mono<Optional<TransactionFile>> log(IcechunkSnapshot snapshot) {
    return files
        .transaction(snapshot.id())
        .map(Optional::of)
        .switchIfEmpty(
            snapshot.parent() == null
                ? Mono.just(Optional.empty())
                : Mono.error(() -> files.missing("transactions/" + snapshot.id())));
  }

  private Mono<Optional<SnapshotFile>> before(IcechunkSnapshot snapshot) {
    return Mono.justOrEmpty(snapshot.parent())
        .flatMap(files::snapshot)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty());
  }

  /**
   * Checks the files of a version: its snapshot, the log of its commit, the manifests that its
   * nodes name, and every reference in them. Emits what it has found, and goes on after that; it
   * ends in an error where the repository has no such version, and where a request fails for
   * another reason than the file.
   *
   * <p>It costs the requests of the snapshot, the log and the manifests as far as they are not
   * cached, a few manifests ahead of the demand, and one listing of {@code chunks/}, which tells
   * whether every chunk is there and long enough; no chunk is read. A store that cannot list, and
   * virtual chunks outside of every allowed container, are findings that are no faults. The table
   * for the listing takes at most an eighth of the heap; more chunks than fit into it cost another
   * listing.
   */
  public Flux<IcechunkFinding> check(IcechunkVersion version) {
    return Flux.defer(() -> new RepositoryCheck(files, refs).of(version));
  }

  /**
   * Checks every snapshot in the histories of all branches and tags, as {@link #check} does one. A
   * manifest that several snapshots share is checked once. Version 1 needs a store that lists.
   */
  public Flux<IcechunkFinding> checkHistory() {
    return Flux.defer(() -> new RepositoryCheck(files, refs).ofHistory());
  }

  private static IcechunkSnapshot shown(SnapshotEntry entry) {
    return new IcechunkSnapshot(
        entry.id(), entry.parent(), entry.time(), entry.message(), entry.metadata());
  }

  /**
   * Emits the store of a version; an error where there is none. The store never changes: a commit
   * to its branch is seen by {@link #refresh} and another store. It is read, listed and has
   * versions; a value has the same version in two snapshots only if its bytes are the same. Closing
   * it has no effect.
   */
  public Mono<Store> store(IcechunkVersion version) {
    return refs.snapshotOf(version)
        .flatMap(files::snapshot)
        .flatMap(
            snapshot ->
                files.options().preloadsCoordinates()
                    ? preload(snapshot).thenReturn(snapshot)
                    : Mono.just(snapshot))
        .map(snapshot -> storeOf(snapshot, version));
  }

  /** The store of a snapshot, to which a version has led. */
  SnapshotStore storeOf(SnapshotFile snapshot, IcechunkVersion version) {
    return new SnapshotStore(
        files, snapshot, allowed(), new IcechunkOrigin(this, version, shown(snapshot.entry())));
  }

  /** The places that virtual chunks may lie in, with the names that the repository gives them. */
  VirtualContainers allowed() {
    return files.options().containers().named(refs.containerNames());
  }

  /**
   * Opens a writable store over the last snapshot that a branch has now; an error where there is no
   * such branch, where the repository takes no commits, and for a repository of version 1. It costs
   * the requests of the info and of the snapshot.
   */
  public Mono<IcechunkSession> session(String branch) {
    return Sessions.open(this, files, branch);
  }

  /**
   * Opens a fork of a session, which {@link IcechunkSession#fork} has emitted: a writable store
   * that shows what the session showed then. Its chunks become objects of the repository at once;
   * what it has changed is emitted by {@link IcechunkSession#changes}, for the session to merge. It
   * costs the request of the snapshot, as far as that is not cached. Ends in a {@link
   * dev.zarrreactive.error.StoreException} for other bytes, and where the repository lacks the
   * snapshot; a fork is neither a secret nor signed, so take it from whom you trust.
   */
  public Mono<IcechunkSession> openFork(Bytes fork) {
    return Sessions.openFork(this, files, fork);
  }

  /**
   * Makes a branch that leads to the snapshot of a version, and emits the repository of then. Ends
   * in a {@link dev.zarrreactive.error.StoreException} where there is such a branch, and, as every
   * change of a branch or a tag, where the repository is read-only.
   */
  public Mono<IcechunkRepository> createBranch(String name, IcechunkVersion version) {
    return refs.snapshotOf(version).flatMap(id -> changesOfRefs().createBranch(name, id));
  }

  /**
   * Lets a branch lead to the snapshot of a version, and emits the repository of then. Snapshots
   * that no branch and no tag leads to any more stay until they are collected as garbage.
   */
  public Mono<IcechunkRepository> resetBranch(String name, IcechunkVersion version) {
    return refs.snapshotOf(version).flatMap(id -> changesOfRefs().resetBranch(name, id));
  }

  /** Deletes a branch other than {@code main}, and emits the repository of then. */
  public Mono<IcechunkRepository> deleteBranch(String name) {
    return changesOfRefs().deleteBranch(name);
  }

  /**
   * Makes a tag of the snapshot of a version, and emits the repository of then. A tag never moves,
   * and the name of a deleted one is never used again.
   */
  public Mono<IcechunkRepository> createTag(String name, IcechunkVersion version) {
    return refs.snapshotOf(version).flatMap(id -> changesOfRefs().createTag(name, id));
  }

  /** Deletes a tag, and emits the repository of then. */
  public Mono<IcechunkRepository> deleteTag(String name) {
    return changesOfRefs().deleteTag(name);
  }

  /**
   * Expires snapshots, and erases objects that no snapshot needs; emits what was removed, or would
   * be by {@link IcechunkCleanup#withDryRun}. Others may commit meanwhile: what they commit stays.
   * A reader of a snapshot that has expired fails once its objects are erased.
   *
   * <p>Expiration replaces the info of the repository. A collection lists the repository and reads
   * the snapshots that stay with all of their manifests, once; it erases nothing before it knows
   * all that is needed. Memory is bounded: some 40 bytes for a chunk, up to an eighth of the heap,
   * and beyond that the manifests and the listing are read again. After a cancel or an error
   * whatever was not erased is still garbage, for the next run.
   *
   * <p>Throws {@link IllegalArgumentException} for a collection of objects of the last day, as
   * {@link IcechunkCleanup#withCollection} says. Ends in a {@link
   * dev.zarrreactive.error.StoreException} where the repository is read-only, and where a file of
   * it that is needed cannot be read; in a {@link dev.zarrreactive.error.StoreCapabilityException}
   * for a store that cannot list, or does not tell when its values were written.
   */
  public Mono<IcechunkCleaned> clean(IcechunkCleanup wanted) {
    return new Cleanup(files, wanted).run(this);
  }

  private RefChanges changesOfRefs() {
    return new RefChanges(this, files);
  }

  private Mono<Void> preload(SnapshotFile snapshot) {
    return Concurrently.map(
            Flux.fromIterable(Coordinates.manifestsOf(snapshot)), TOGETHER, files::manifest)
        .then();
  }

  /**
   * Emits the repository of now: this one, where nothing has changed. In version 2 that is one
   * request, without a body where the store has versions. One that was migrated to version 2 since
   * is opened as such.
   */
  public Mono<IcechunkRepository> refresh() {
    return refs.refresh().map(fresh -> fresh == refs ? this : new IcechunkRepository(files, fresh));
  }

  /** The version of the specification, and the store. */
  @Override
  public String toString() {
    return "IcechunkRepository[version " + refs.specVersion() + " in " + files.store() + "]";
  }
}
