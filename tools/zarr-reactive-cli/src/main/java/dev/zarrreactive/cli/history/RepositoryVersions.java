package dev.zarrreactive.cli.history;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkOptions;
import dev.zarrreactive.icechunk.IcechunkRef;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSnapshot;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.server.StoreVersions;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import java.util.regex.Pattern;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The versions of an Icechunk repository, or of a node in it, for a server. */
public final class RepositoryVersions implements StoreVersions {
  private static final String BRANCH = "branch.";
  private static final String TAG = "tag.";
  private static final Pattern ID = Pattern.compile("[0-9A-HJKMNP-TV-Z]{20}");

  private final Store directory;
  private final IcechunkRepository repository;
  private final String served;
  private final NodePath node;

  private RepositoryVersions(
      Store directory, IcechunkRepository repository, String served, NodePath node) {
    this.directory = directory;
    this.repository = repository;
    this.served = served;
    this.node = node;
  }

  /**
   * Opens the repository at the root of a store; an error where it lacks the version.
   *
   * @param version that is served where a request names none; of an instant it is the snapshot that
   *     the branch has of it now
   * @param node the path of the node that is served, in each version
   */
  public static Mono<RepositoryVersions> open(
      Store directory, IcechunkOptions options, IcechunkVersion version, NodePath node) {
    return Icechunk.open(directory, options)
        .flatMap(
            repository ->
                repository
                    .snapshot(version)
                    .map(
                        snapshot ->
                            new RepositoryVersions(
                                directory, repository, text(version, snapshot), node)));
  }

  private static String text(IcechunkVersion version, IcechunkSnapshot snapshot) {
    if (version instanceof IcechunkVersion.Branch branch) {
      return BRANCH + branch.name();
    }
    return version instanceof IcechunkVersion.Tag tag ? TAG + tag.name() : snapshot.id();
  }

  @Override
  public String served() {
    return served;
  }

  @Override
  public Flux<Named> branches() {
    return repository.branches().map(RepositoryVersions::named);
  }

  @Override
  public Flux<Named> tags() {
    return repository.tags().map(RepositoryVersions::named);
  }

  private static Named named(IcechunkRef ref) {
    return new Named(ref.name(), ref.snapshot());
  }

  @Override
  public Mono<Snapshot> find(String version) {
    if (version.startsWith(BRANCH)) {
      String name = version.substring(BRANCH.length());
      return found(IcechunkVersion.branch(name), has(repository.branches(), name));
    } else if (version.startsWith(TAG)) {
      String name = version.substring(TAG.length());
      return found(IcechunkVersion.tag(name), has(repository.tags(), name));
    }
    return ID.matcher(version).matches()
        ? found(
            IcechunkVersion.snapshot(version),
            directory
                .get(StoreKey.of("snapshots/" + version), ByteRange.whole(Long.MAX_VALUE))
                .hasElement())
        : Mono.empty();
  }

  private static Mono<Boolean> has(Flux<IcechunkRef> refs, String name) {
    return refs.any(ref -> ref.name().equals(name))
        .onErrorReturn(StoreCapabilityException.class, true);
  }

  /** Emits the snapshot; empty where the version is not there, by which it was not found. */
  private Mono<Snapshot> found(IcechunkVersion version, Mono<Boolean> isThere) {
    return repository
        .snapshot(version)
        .map(RepositoryVersions::told)
        .onErrorResume(
            StoreException.class,
            error -> isThere.flatMap(there -> there ? Mono.error(error) : Mono.empty()));
  }

  private static Snapshot told(IcechunkSnapshot snapshot) {
    return new Snapshot(
        snapshot.id(), snapshot.parent(), snapshot.time(), snapshot.message(), snapshot.metadata());
  }

  @Override
  public Flux<Snapshot> history(String id) {
    IcechunkVersion version = IcechunkVersion.snapshot(id);
    return repository.history(version).map(RepositoryVersions::told);
  }

  @Override
  public Mono<Store> open(String id) {
    return repository
        .store(IcechunkVersion.snapshot(id))
        .map(store -> node.isRoot() ? store : Stores.prefixed(store, node.prefix()));
  }

  @Override
  public Mono<StoreVersions> refresh() {
    return repository
        .refresh()
        .map(
            now -> now == repository ? this : new RepositoryVersions(directory, now, served, node));
  }
}
