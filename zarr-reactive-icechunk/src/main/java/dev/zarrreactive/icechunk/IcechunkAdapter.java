package dev.zarrreactive.icechunk;

import dev.zarrreactive.internal.icechunk.Base32;
import dev.zarrreactive.spi.Spi;
import dev.zarrreactive.store.StoreAdapter;
import dev.zarrreactive.store.StoreOptions;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Opens a version of an Icechunk repository, in pipelines as {@code |icechunk://branch.main/path},
 * {@code |icechunk://tag.v1}, {@code |icechunk://SNAPSHOTID} or {@code |icechunk:} for the branch
 * {@code main}. The query {@code ?as-of=2026-01-31T00:00:00Z} takes the last snapshot of a branch
 * of that instant or before. The options {@code branch}, {@code tag}, {@code snapshot} and {@code
 * as-of} name a version where the segment names none.
 */
@Spi
public final class IcechunkAdapter implements StoreAdapter {
  private static final String AS_OF = "as-of";
  private static final Set<String> OPTIONS = Set.of("branch", "tag", "snapshot", AS_OF);
  private static final String FORMS =
      "icechunk://branch.NAME/PATH, icechunk://tag.NAME/PATH, icechunk://SNAPSHOTID/PATH or"
          + " icechunk: for the branch main";

  /** Creates the adapter; called by {@link java.util.ServiceLoader}. */
  public IcechunkAdapter() {}

  @Override
  public String scheme() {
    return "icechunk";
  }

  @Override
  public boolean takes(String option) {
    return OPTIONS.contains(option);
  }

  @Override
  public Mono<Opened> open(Place place, Segment segment, StoreOptions options) {
    return Mono.defer(
        () -> {
          IcechunkVersion version = version(segment, options);
          return place
              .directory()
              .flatMap(Icechunk::open)
              .flatMap(repository -> repository.store(version))
              .map(store -> new Opened(store, path(segment.body())));
        });
  }

  /** The path behind the version. */
  private static String path(String body) {
    int slash = body.startsWith("//") ? body.indexOf('/', 2) : -1;
    return slash < 0 ? "" : Segment.path(body.substring(slash));
  }

  private static IcechunkVersion version(Segment segment, StoreOptions options) {
    String asOf = asOf(segment.query());
    IcechunkVersion named = named(segment.body());
    if (named == null) {
      return chosen(options, asOf);
    }
    if (!options.names().isEmpty()) {
      throw new IllegalArgumentException(
          segment
              + " names a version, and so do the options "
              + options.names()
              + ": leave out one of them");
    }
    if (asOf == null) {
      return named;
    }
    if (named instanceof IcechunkVersion.Branch branch) {
      return IcechunkVersion.asOf(branch.name(), instant(asOf));
    }
    throw new IllegalArgumentException("only a branch has a state as of an instant, not " + named);
  }

  /** The version that a body names; null for one that names none. */
  private static @Nullable IcechunkVersion named(String body) {
    if (body.isEmpty()) {
      return null;
    }
    if (!body.startsWith("//")) {
      throw new IllegalArgumentException("icechunk:" + body + " names no version; write " + FORMS);
    }
    int slash = body.indexOf('/', 2);
    String text = slash < 0 ? body.substring(2) : body.substring(2, slash);
    String name = Segment.decoded(text.substring(text.indexOf('.') + 1));
    if (text.startsWith("branch.") && !name.isEmpty()) {
      return IcechunkVersion.branch(name);
    }
    if (text.startsWith("tag.") && !name.isEmpty()) {
      return IcechunkVersion.tag(name);
    }
    if (Base32.isObjectId(text)) {
      return IcechunkVersion.snapshot(text);
    }
    throw new IllegalArgumentException("icechunk:" + body + " names no version; write " + FORMS);
  }

  /** The version that the options name; the branch main where they name none. */
  private static IcechunkVersion chosen(StoreOptions options, @Nullable String queried) {
    String branch = options.get("branch");
    String tag = options.get("tag");
    String snapshot = options.get("snapshot");
    String option = options.get(AS_OF);
    if (option != null && queried != null) {
      throw new IllegalArgumentException(
          "as-of stands in the URL and among the options: leave out one of them");
    }
    String asOf = option == null ? queried : option;
    int named = (branch == null ? 0 : 1) + (tag == null ? 0 : 1) + (snapshot == null ? 0 : 1);
    if (named > 1 || (asOf != null && (tag != null || snapshot != null))) {
      throw new IllegalArgumentException(
          "a version is a branch, with or without as-of, or a tag or a snapshot; the options are "
              + options.names());
    }
    if (tag != null) {
      return IcechunkVersion.tag(tag);
    }
    if (snapshot != null) {
      return IcechunkVersion.snapshot(snapshot);
    }
    String name = branch == null ? "main" : branch;
    return asOf == null ? IcechunkVersion.branch(name) : IcechunkVersion.asOf(name, instant(asOf));
  }

  private static @Nullable String asOf(@Nullable String query) {
    if (query == null) {
      return null;
    }
    String beginning = AS_OF + "=";
    if (!query.startsWith(beginning) || query.indexOf('&') >= 0) {
      throw new IllegalArgumentException(
          "the only query of icechunk: is ?as-of=INSTANT, such as ?as-of=2026-01-31T00:00:00Z");
    }
    return Segment.decoded(query.substring(beginning.length()));
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no instant, such as 2026-01-31T00:00:00Z", e);
    }
  }
}
