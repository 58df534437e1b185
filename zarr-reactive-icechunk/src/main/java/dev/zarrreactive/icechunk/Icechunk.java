package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Opens Icechunk repositories of the versions 1, 2 and 2.1 of the specification, and makes new
 * ones.
 *
 * <pre>{@code
 * Mono<Store> data =
 *     Icechunk.open(S3Store.open("s3://bucket/repo"))
 *         .flatMap(repository -> repository.store(IcechunkVersion.tag("v1")));
 * }</pre>
 */
public final class Icechunk {
  private Icechunk() {}

  /** Opens the repository in a store, as {@link #open(Store, IcechunkOptions)} by default. */
  public static Mono<IcechunkRepository> open(Store store) {
    return open(store, IcechunkOptions.defaults());
  }

  /**
   * Opens the repository at the root of a store: one request for one of version 2. Where its file
   * is not there, that of version 1 is asked for: a second round trip, which {@link
   * IcechunkOptions#withVersion1Expected} saves. A store with a prefix holds one further down.
   *
   * <p>Ends in a {@link StoreException} where there is none, or where it is offline; in an {@link
   * dev.zarrreactive.error.UnsupportedFeatureException} for a version of the specification that is
   * not known. The store stays open, for the caller to close.
   */
  public static Mono<IcechunkRepository> open(Store store, IcechunkOptions options) {
    return Mono.defer(
        () -> {
          RepositoryFiles files = new RepositoryFiles(store, options);
          return detect(files, options.expectsVersion1())
              .map(refs -> new IcechunkRepository(files, refs));
        });
  }

  /** Makes a repository in a store, as {@link #create(Store, IcechunkOptions)} by default. */
  public static Mono<IcechunkRepository> create(Store store) {
    return create(store, IcechunkOptions.defaults());
  }

  /**
   * Makes a repository of version 2 at the root of a store, with the branch {@code main} and its
   * first snapshot, which has no nodes. Ends in a {@link StoreException} where the store has a
   * repository, and in a {@link dev.zarrreactive.error.StoreCapabilityException} for a store
   * without versions or conditional writes.
   */
  public static Mono<IcechunkRepository> create(Store store, IcechunkOptions options) {
    return Mono.defer(() -> Sessions.create(new RepositoryFiles(store, options)))
        .then(Mono.defer(() -> open(store, options)));
  }

  /**
   * Emits the state of a repository; its version 2 goes before what is left of version 1.
   *
   * @param together whether both versions are looked for at once
   */
  static Mono<Refs> detect(RepositoryFiles files, boolean together) {
    return find(files, together).switchIfEmpty(Mono.error(() -> Missing.repository(files)));
  }

  /** Emits the state of a repository; empty where there is none. */
  static Mono<Refs> find(RepositoryFiles files, boolean together) {
    Mono<Answer> version2 = version2(files);
    Mono<Answer> version1 = version1(files);
    Mono<Answer> found =
        together
            ? Concurrently.mapInOrder(Flux.just(version2, version1), 2, each -> each).next()
            : version2.switchIfEmpty(version1);
    return found.flatMap(answer -> answer.refs(files));
  }

  private static Mono<Answer> version2(RepositoryFiles files) {
    return RefsInRepo.request(files, ReadCondition.ALWAYS)
        .map(repo -> new Answer(repo, null, null));
  }

  /** Some servers refuse a key that is not there: that counts where version 2 is missing. */
  private static Mono<Answer> version1(RepositoryFiles files) {
    return Mono.defer(() -> RefsInKeys.request(files))
        .map(main -> new Answer(null, main, null))
        .onErrorResume(StoreException.class, e -> Mono.just(new Answer(null, null, e)));
  }

  /**
   * What was found at the key of one version.
   *
   * @param repo the file of version 2
   * @param main the branch main of version 1
   * @param failure why nothing is known
   */
  private record Answer(
      @Nullable VersionedBytes repo, @Nullable Bytes main, @Nullable StoreException failure) {
    Mono<Refs> refs(RepositoryFiles files) {
      if (failure != null) {
        return Mono.error(failure);
      }
      return repo != null
          ? RefsInRepo.read(files, repo)
          : Mono.justOrEmpty(main).map(value -> RefsInKeys.of(files, value));
    }
  }
}
