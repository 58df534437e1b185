package dev.zarrreactive.icechunk;

import dev.zarrreactive.internal.store.Adapters;
import dev.zarrreactive.spi.Spi;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreAdapter;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.virtual.VirtualContainers;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Opens a version of a repository, in pipelines as {@code |icechunk://branch.main/path}.
 *
 * <p>The body is empty for the branch {@code main}, or {@code //branch.NAME}, {@code //tag.NAME} or
 * {@code //SNAPSHOTID}, with a path behind it. A name is percent-encoded where it has a slash, a
 * blank or a bar. The query {@code as-of=INSTANT} asks for the last snapshot of the branch at that
 * instant or before. The options {@code branch}, {@code tag}, {@code snapshot} and {@code as-of}
 * say the same for a body that names no version. {@code virtual:PREFIX} allows a container, see
 * {@link VirtualContainers#of}.
 *
 * <p>The option {@code message} makes the store of a branch a writable one: an {@link
 * IcechunkSession}, which is committed with this message when it is closed, where it has changes.
 * It is a {@link dev.zarrreactive.store.StagedStore}, whose {@code discard} gives the changes up.
 */
@Spi
public final class IcechunkAdapter implements StoreAdapter {
  private static final String BRANCH = "branch";
  private static final String TAG = "tag";
  private static final String SNAPSHOT = "snapshot";
  private static final String AS_OF = "as-of";
  private static final String MESSAGE = "message";
  private static final Set<String> VERSIONS = Set.of(BRANCH, TAG, SNAPSHOT, AS_OF);

  /** Creates the adapter; called by {@link java.util.ServiceLoader}. */
  public IcechunkAdapter() {}

  @Override
  public String scheme() {
    return "icechunk";
  }

  @Override
  public boolean takes(String option) {
    return VERSIONS.contains(option)
        || option.equals(MESSAGE)
        || VirtualContainers.isOption(option);
  }

  @Override
  public Mono<Opened> open(Place place, Segment segment, StoreOptions options) {
    return Mono.defer(
        () -> {
          Named named = Named.of(segment, options);
          VirtualContainers allowed = VirtualContainers.of(options);
          IcechunkOptions settings = IcechunkOptions.defaults().withContainers(allowed);
          return place
              .directory()
              .flatMap(store -> Icechunk.open(store, settings))
              .flatMap(repository -> store(repository, named.version(), options.get(MESSAGE)))
              .map(store -> new Opened(Adapters.closing(store, allowed.close()), named.path()));
        });
  }

  private static Mono<Store> store(
      IcechunkRepository repository, IcechunkVersion version, @Nullable String message) {
    if (message == null) {
      return repository.store(version);
    }
    if (version instanceof IcechunkVersion.Branch branch) {
      return repository.session(branch.name()).map(session -> new StagedSession(session, message));
    }
    return Mono.error(
        () ->
            new IllegalArgumentException(
                "a commit is made to a branch, and the location names the "
                    + version
                    + "; name one by |icechunk://branch.NAME"));
  }

  /** Emits the snapshot that the version leads to now. A snapshot costs no request. */
  @Override
  public Mono<Pinned> pin(Place place, Segment segment, StoreOptions options) {
    return Mono.defer(
        () -> {
          IcechunkVersion version = Named.of(segment, options).version();
          Mono<String> id =
              version instanceof IcechunkVersion.Id known
                  ? Mono.just(known.snapshot())
                  : place
                      .directory()
                      .flatMap(Icechunk::open)
                      .flatMap(repository -> repository.snapshot(version))
                      .map(IcechunkSnapshot::id);
          return id.map(
              snapshot ->
                  new Pinned(
                      new Segment(scheme(), "//" + snapshot + path(segment.body()), null),
                      withoutVersion(options)));
        });
  }

  /** The path in the body of a segment, as it was written, with a slash at its beginning. */
  private static String path(String body) {
    if (body.startsWith("//")) {
      int slash = body.indexOf('/', 2);
      return slash < 0 ? "" : body.substring(slash);
    }
    return body.isEmpty() || body.startsWith("/") ? body : "/" + body;
  }

  private static StoreOptions withoutVersion(StoreOptions options) {
    StoreOptions left = options.without(MESSAGE); // a snapshot is read alone
    for (String name : VERSIONS) {
      left = left.without(name);
    }
    return left;
  }

  /**
   * Returns the version that a segment and options name.
   *
   * @throws IllegalArgumentException for what names no version, or several
   */
  public static IcechunkVersion version(Segment segment, StoreOptions options) {
    return Named.of(segment, options).version();
  }

  /** What a segment and its options name. */
  private record Named(IcechunkVersion version, String path) {
    /**
     * Parses a segment.
     *
     * @throws IllegalArgumentException for what names no version, or several
     */
    static Named of(Segment segment, StoreOptions options) {
      String body = segment.body();
      String asOf = asOf(segment.query(), options);
      if (body.startsWith("//")) {
        int slash = body.indexOf('/', 2);
        String version = body.substring(2, slash < 0 ? body.length() : slash);
        String path = slash < 0 ? "" : Segment.path(body.substring(slash));
        return new Named(version(version, asOf, options), path);
      }
      if (body.startsWith("@") || body.matches("(branch|tag)[:.].*")) {
        throw new IllegalArgumentException(
            "|icechunk:"
                + body
                + " has the form of an older draft; today a version is written as"
                + " |icechunk://branch.NAME/PATH, |icechunk://tag.NAME/PATH or"
                + " |icechunk://SNAPSHOTID/PATH");
      }
      return new Named(ofOptions(asOf, options), segment.path());
    }

    private static @Nullable String asOf(@Nullable String query, StoreOptions options) {
      if (query == null) {
        return options.get(AS_OF);
      }
      if (!query.startsWith(AS_OF + "=") || query.contains("&")) {
        throw new IllegalArgumentException(
            "the query of |icechunk: is as-of=INSTANT, such as ?as-of=2026-01-31T12:00:00Z");
      }
      if (options.get(AS_OF) != null) {
        throw several(List.of("the query of the location", AS_OF));
      }
      return Segment.decoded(query.substring(AS_OF.length() + 1));
    }

    private static IcechunkVersion version(
        String text, @Nullable String asOf, StoreOptions options) {
      for (String option : List.of(BRANCH, TAG, SNAPSHOT)) {
        if (options.get(option) != null) {
          throw several(List.of("the location", option));
        }
      }
      if (text.startsWith("branch.")) {
        return branch(Segment.decoded(text.substring("branch.".length())), asOf);
      }
      if (asOf != null) {
        throw new IllegalArgumentException("as-of is for a branch, and the location names none");
      }
      if (text.startsWith("tag.")) {
        return IcechunkVersion.tag(Segment.decoded(text.substring("tag.".length())));
      }
      return IcechunkVersion.snapshot(text);
    }

    private static IcechunkVersion ofOptions(@Nullable String asOf, StoreOptions options) {
      List<String> given = new ArrayList<>();
      for (String option : List.of(BRANCH, TAG, SNAPSHOT)) {
        if (options.get(option) != null) {
          given.add(option);
        }
      }
      if (asOf != null && !given.isEmpty() && !given.contains(BRANCH)) {
        given.add(AS_OF);
      }
      if (given.size() > 1) {
        throw several(given);
      }
      if (options.get(TAG) != null) {
        return IcechunkVersion.tag(options.text(TAG));
      }
      if (options.get(SNAPSHOT) != null) {
        return IcechunkVersion.snapshot(options.text(SNAPSHOT));
      }
      String branch = options.get(BRANCH);
      return branch(branch == null ? "main" : branch, asOf);
    }

    private static IcechunkVersion branch(String name, @Nullable String asOf) {
      if (asOf == null) {
        return IcechunkVersion.branch(name);
      }
      try {
        return IcechunkVersion.asOf(name, Instant.parse(asOf));
      } catch (DateTimeParseException e) {
        throw new IllegalArgumentException(
            "as-of is an instant, such as 2026-01-31T12:00:00Z, not \"" + asOf + "\"", e);
      }
    }

    private static IllegalArgumentException several(List<String> given) {
      return new IllegalArgumentException(
          "the version is named twice, by " + String.join(" and by ", given) + "; leave one away");
    }
  }
}
