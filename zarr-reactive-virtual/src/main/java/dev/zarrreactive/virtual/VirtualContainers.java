package dev.zarrreactive.virtual;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.Version;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The places outside of a store that its references may lead to: prefixes of URLs, each with a
 * store. Only the program that reads allows a prefix, never the data: a location below none of them
 * is refused, and causes no request.
 *
 * <p><b>Prefixes.</b> Of several that fit, the longest wins. A prefix ends with a slash, which may
 * be left out, and begins with {@code s3}, {@code gs} ({@code gcs}), {@code az} ({@code azure},
 * {@code abfs}), {@code tigris}, {@code http}, {@code https}, {@code file} or any other scheme for
 * which a store is given.
 *
 * <p><b>Keys.</b> The key of an object is what follows the prefix in the path of the URL,
 * percent-decoded once and otherwise as it is written; query and fragment are no part of it. Empty
 * segments, {@code .} and {@code ..} stay in the names of objects in S3; elsewhere they are
 * refused, for the keys of stores have none. The path of a file is normalized first, and a store of
 * files that is opened here follows no symbolic link out of the directory of its prefix.
 *
 * <p><b>Signed URLs.</b> The query of a URL of HTTP, such as {@code ?sig=...}, is sent as it is
 * written with each request for its object. It allows nothing: the prefix decides. No error, log or
 * {@code toString} has it. A store that is given makes its requests itself, and gets the key alone.
 *
 * <p><b>Stores</b> that are given stay open. Those that are opened by a URL are opened when they
 * are first needed, one for each prefix, and closed by {@link #close}. Thread-safe.
 */
public final class VirtualContainers {
  private static final String NAMED = "vcc://";

  /** The beginning of options of a location that allow a prefix. */
  private static final String OPTION = "virtual:";

  /** The number, the microseconds and the size of a file, as object_store makes an ETag of them. */
  private static final Pattern OF_FILE =
      Pattern.compile("\"?[0-9a-f]{1,16}-([0-9a-f]{1,15})-[0-9a-f]{1,16}\"?");

  /** The schemes of servers whose ETags have quotation marks. */
  private static final Set<String> QUOTING = Set.of("s3", "gs", "az", "tigris", "http", "https");

  private final List<Container> longestFirst;
  private final Map<String, String> names;

  private VirtualContainers(List<Container> longestFirst, Map<String, String> names) {
    this.longestFirst = longestFirst;
    this.names = names;
  }

  /** Returns a builder, which allows nothing yet. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns containers that allow nothing. */
  public static VirtualContainers none() {
    return builder().build();
  }

  /** Returns true for the name of an option that {@link #of} reads. */
  public static boolean isOption(String name) {
    return name.startsWith(OPTION);
  }

  /**
   * Returns the containers that options of a location allow: {@code virtual:PREFIX} allows a prefix
   * of URLs; its value has the options of the prefix's store, {@code name=value} with {@code ;}
   * between them, such as {@code anonymous=true;region=us-west-2}, or is empty.
   *
   * @throws IllegalArgumentException for another value, which is not shown
   */
  public static VirtualContainers of(StoreOptions options) {
    Builder builder = builder();
    for (String name : options.names()) {
      if (isOption(name)) {
        builder.allow(name.substring(OPTION.length()), listed(name, options.text(name)));
      }
    }
    return builder.build();
  }

  private static StoreOptions listed(String option, String value) {
    StoreOptions listed = StoreOptions.none();
    for (String each : value.split(";", -1)) {
      int equals = each.indexOf('=');
      if (equals > 0) {
        listed = listed.with(each.substring(0, equals).strip(), each.substring(equals + 1).strip());
      } else if (!each.isBlank()) {
        throw new IllegalArgumentException(
            option + " has options of a store, such as anonymous=true;region=us-west-2");
      }
    }
    return listed;
  }

  /**
   * Returns these containers, with names for locations {@code vcc://NAME/rest}, which stand for
   * {@code PREFIX/rest}. A name allows nothing: its prefix must be allowed. Both have the same
   * stores, which either of them closes.
   *
   * @param prefixes the URL of each name, as the data say it
   */
  public VirtualContainers named(Map<String, String> prefixes) {
    return new VirtualContainers(longestFirst, Map.copyOf(prefixes));
  }

  /**
   * Returns these containers and one more, for a format whose references may also be relative to a
   * store that the reader has given it. It takes the place of a container of the same prefix.
   *
   * @throws IllegalArgumentException if the prefix is no URL without query and user information
   */
  public VirtualContainers and(String prefix, Store store) {
    Container more = builder().allow(prefix, store).containers.values().iterator().next();
    List<Container> all = new ArrayList<>(longestFirst);
    all.removeIf(each -> each.prefix().equals(more.prefix()));
    all.add(more);
    return new VirtualContainers(longestFirst(all), names);
  }

  private static List<Container> longestFirst(List<Container> containers) {
    return containers.stream()
        .sorted(
            Comparator.comparingInt((Container each) -> each.prefix().path().length())
                .reversed()
                .thenComparing(each -> each.prefix().toString()))
        .toList();
  }

  /**
   * Emits where the bytes of a location are: the object in the store of its container, with the
   * condition of its checksum, and the range. Makes no request.
   *
   * <p>Fails with {@link AccessDeniedException} for a location that is not allowed, and with {@link
   * StoreException} for one that is wrong. Neither shows the query of the URL.
   */
  public Mono<ResolvedLocation> resolve(VirtualLocation location) {
    return Mono.defer(() -> resolveNow(location));
  }

  private Mono<ResolvedLocation> resolveNow(VirtualLocation location) {
    ByteRange.Slice range = range(location);
    VirtualUrl url;
    String query;
    try {
      String expanded = expanded(location.url());
      url = VirtualUrl.parse(expanded);
      query = VirtualUrl.query(expanded);
    } catch (IllegalArgumentException e) {
      throw wrong(location, String.valueOf(e.getMessage()));
    }
    Container container = containerOf(location, url);
    ReadCondition condition = condition(location.checksum(), url.scheme());
    Container.Found found;
    try {
      found = container.find(url.path().substring(container.prefix().path().length()), query);
    } catch (IllegalArgumentException e) {
      throw wrong(location, String.valueOf(e.getMessage()));
    }
    return found
        .store()
        .map(store -> new ResolvedLocation(new StoredObject(store, found.key(), condition), range));
  }

  private static ByteRange.@Nullable Slice range(VirtualLocation location) {
    if (location.length() == VirtualLocation.WHOLE && location.offset() == 0) {
      return null;
    }
    try {
      return new ByteRange.Slice(location.offset(), location.length());
    } catch (IllegalArgumentException e) {
      throw wrong(location, "its offset and length are no range of bytes");
    }
  }

  /** Replaces the name of a container by its prefix. */
  private String expanded(String url) {
    if (!url.regionMatches(true, 0, NAMED, 0, NAMED.length())) {
      return url;
    }
    int slash = url.indexOf('/', NAMED.length());
    String name = url.substring(NAMED.length(), slash < 0 ? url.length() : slash);
    String prefix = names.get(name);
    if (prefix == null) {
      prefix = names.get(decoded(name));
    }
    if (prefix == null) {
      throw new IllegalArgumentException(
          "no container has this name; the names are " + new TreeSet<>(names.keySet()));
    }
    String rest = slash < 0 ? "" : url.substring(slash + 1);
    return prefix.endsWith("/") ? prefix + rest : prefix + "/" + rest;
  }

  private static String decoded(String name) {
    return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private Container containerOf(VirtualLocation location, VirtualUrl url) {
    String origin = url.origin();
    for (Container container : longestFirst) {
      if (container.prefix().origin().equals(origin) && container.contains(url)) {
        return container;
      }
    }
    String prefix = VirtualUrl.shown(url.above().toString());
    throw new AccessDeniedException(
        "the reference leads to "
            + location
            + ", which is outside of every container that was allowed ("
            + (longestFirst.isEmpty() ? "there is none" : shownPrefixes())
            + "); if you trust these data, allow it: VirtualContainers.builder().allow(\""
            + prefix
            + "\"), or the option "
            + OPTION
            + prefix,
        Location.UNKNOWN);
  }

  private String shownPrefixes() {
    List<String> shown = new ArrayList<>();
    for (Container container : longestFirst) {
      if (shown.size() == 16) {
        shown.add("...");
        break;
      }
      shown.add(container.prefix().toString());
    }
    return String.join(", ", shown);
  }

  /**
   * Servers quote the ETags that they send, and some writers of references drop the marks. What
   * object_store writes for a file has the time of its change, and a number that a copy changes.
   */
  private static ReadCondition condition(@Nullable ObjectChecksum checksum, String scheme) {
    if (checksum instanceof ObjectChecksum.ETag tag) {
      String value = tag.value();
      Matcher ofFile = OF_FILE.matcher(value);
      if (scheme.equals(VirtualUrl.FILE) && ofFile.matches()) {
        long micros = Long.parseLong(ofFile.group(1), 16);
        return ReadCondition.ifUnmodifiedSince(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
      }
      boolean isPlain =
          QUOTING.contains(scheme) && !value.startsWith("\"") && !value.startsWith("W/");
      return ReadCondition.ifMatch(new Version(isPlain ? "\"" + value + "\"" : value));
    }
    return checksum instanceof ObjectChecksum.LastModified modified
        ? ReadCondition.ifUnmodifiedSince(modified.time())
        : ReadCondition.ALWAYS;
  }

  private static StoreException wrong(VirtualLocation location, String why) {
    return new StoreException(
        "the reference leads to " + location + ", which cannot be read: " + why, Location.UNKNOWN);
  }

  /** Closes the stores that were opened here; later locations in their containers are errors. */
  public Mono<Void> close() {
    return Concurrently.map(Flux.fromIterable(longestFirst), 16, Container::close).then();
  }

  /** The prefixes. */
  @Override
  public String toString() {
    return "VirtualContainers[" + shownPrefixes() + "]";
  }

  /**
   * Where the bytes of a location are.
   *
   * @param range of the object; null for all of it
   */
  public record ResolvedLocation(StoredObject object, ByteRange.@Nullable Slice range) {}

  /** Builds containers. Not thread-safe. */
  public static final class Builder {
    private final Map<VirtualUrl, Container> containers = new HashMap<>();

    private Builder() {}

    /**
     * Allows the objects below a prefix, as {@link #allow(String, StoreOptions)} without options.
     */
    public Builder allow(String prefix) {
      return allow(prefix, StoreOptions.none());
    }

    /**
     * Allows the objects below a prefix, in a store that is opened by this URL with the options of
     * its {@link dev.zarrreactive.store.StoreProvider}. An unknown scheme or a wrong option is an
     * error of the first read.
     *
     * @throws IllegalArgumentException if the prefix is no URL without query and user information,
     *     or was allowed already
     */
    public Builder allow(String prefix, StoreOptions options) {
      return add(prefix, null, options);
    }

    /**
     * Allows the objects below a prefix, in this store, which stays open: the object at {@code
     * PREFIX/key} is the value at {@code key}.
     *
     * @throws IllegalArgumentException if the prefix is no URL without query and user information,
     *     or was allowed already
     */
    public Builder allow(String prefix, Store store) {
      return add(prefix, store, StoreOptions.none());
    }

    private Builder add(String prefix, @Nullable Store store, StoreOptions options) {
      if (prefix.indexOf('?') >= 0 || prefix.indexOf('#') >= 0) {
        throw new IllegalArgumentException(
            "a container has no query and no fragment: " + VirtualUrl.shown(prefix));
      }
      VirtualUrl url;
      try {
        url = VirtualUrl.parse(prefix);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            VirtualUrl.shown(prefix) + " is no container: " + e.getMessage(), e);
      }
      VirtualUrl below = url.path().endsWith("/") ? url : url.at(url.path() + "/");
      if (containers.putIfAbsent(below, new Container(below, store, options)) != null) {
        throw new IllegalArgumentException(below + " was allowed already");
      }
      return this;
    }

    /** Returns the containers. */
    public VirtualContainers build() {
      return new VirtualContainers(longestFirst(new ArrayList<>(containers.values())), Map.of());
    }
  }
}
