package dev.zarrreactive.store;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.spi.Spi;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Opens a store that lies inside of another one: an archive, a repository, references. It is a
 * segment of a URL pipeline, such as {@code zip:inside} in {@code s3://bucket/x.zip|zip:inside}.
 * Found by {@link java.util.ServiceLoader}: a module names its adapter in {@code
 * META-INF/services/dev.zarrreactive.store.StoreAdapter}.
 */
@Spi
public interface StoreAdapter {
  /** The scheme of its segments, in lower case, such as {@code zip}. */
  String scheme();

  /**
   * The endings of the names of files that are opened by this adapter without a segment, in lower
   * case, such as {@code .zip}.
   */
  default Set<String> suffixes() {
    return Set.of();
  }

  /**
   * Returns true for the name of an option that this adapter takes. All other options belong to the
   * first segment of the pipeline. A location without a segment, but with such an option, is opened
   * by this adapter, unless the name has a colon: such a name may be taken by several adapters.
   */
  default boolean takes(String option) {
    return false;
  }

  /**
   * Opens what lies at {@code place}. Each subscription opens it anew; a cancel ends it. Closing
   * the store leaves the stores of {@code place} open: whoever made the place closes them. An
   * invalid body or option is an {@link IllegalArgumentException}, through {@code onError}.
   *
   * @param options those that {@link #takes} is true for
   */
  Mono<Opened> open(Place place, Segment segment, StoreOptions options);

  /**
   * Emits the segment and the options that lead to what lies at {@code place} now, whatever is
   * committed later: the branch of a repository becomes a snapshot. An adapter without versions
   * leaves both as they are, which is the default. Makes as few requests as it can, on each
   * subscription; errors and the stores of {@code place} are those of {@link #open}.
   *
   * @param options those that {@link #takes} is true for
   */
  default Mono<Pinned> pin(Place place, Segment segment, StoreOptions options) {
    return Mono.just(new Pinned(segment, options));
  }

  /** What the segments to the left lead to: a directory or a file, as the adapter needs it. */
  interface Place {
    /** Opens the store whose root is this place. Each place opens at most one. */
    Mono<Store> directory();

    /** Opens the store that holds this place as a value. Each place opens at most one. */
    Mono<StoredFile> file();

    /** The text of the place for people, without what may be a secret. */
    @Override
    String toString();
  }

  /** A value of a store, which need not be there. */
  record StoredFile(Store store, StoreKey key) {}

  /**
   * An open store.
   *
   * @param path the path in it that the segment names; empty for its root
   */
  record Opened(Store store, String path) {}

  /**
   * A segment that leads to one version.
   *
   * @param options those that the adapter needs beside it
   */
  record Pinned(Segment segment, StoreOptions options) {}

  /**
   * A segment of a pipeline.
   *
   * @param scheme in lower case
   * @param body the text behind the colon as it was written, without the query
   * @param query the text behind the question mark; null for none
   */
  record Segment(String scheme, String body, @Nullable String query) {
    /** Returns the body as a path: decoded once, without slashes at its ends. */
    public String path() {
      return path(body);
    }

    /** Returns a part of the body as a path: decoded once, without slashes at its ends. */
    public static String path(String encoded) {
      return decoded(encoded).replaceAll("^/+|/+$", "");
    }

    /**
     * Decodes {@code %} and two hexadecimal digits, once.
     *
     * @throws IllegalArgumentException for a {@code %} without them
     */
    public static String decoded(String encoded) {
      return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return scheme + ":" + body + (query == null ? "" : "?...");
    }
  }
}
