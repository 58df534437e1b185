package dev.zarrreactive.partition;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.internal.hierarchy.ForeignContent;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.StoreOptions;
import java.io.Serializable;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store by its location and its options, as a driver sends it to the machines that read. It has
 * no secret: credentials come from the environment, the profile or the role of each machine, or
 * from a source that the option {@code credentials} names. Immutable, serializable and thread-safe.
 *
 * @param location a path or an URL, as {@link Zarr#at} takes it; {@code file:/x}, as Hadoop writes
 *     it, becomes {@code file:///x}
 * @param options the options of the store
 * @param state names what the driver has seen inside of a repository, an archive or references;
 *     empty for a store that each reader opens by itself
 */
public record StoreDescription(String location, Map<String, String> options, String state)
    implements Serializable {
  private static final long serialVersionUID = 2;
  private static final String CONTAINER = "virtual:";
  private static final List<String> SECRETS =
      List.of(
          "secret",
          "password",
          "token",
          "credential",
          "access-key",
          "accesskey",
          "api-key",
          "apikey",
          "account-key",
          "authorization",
          "cookie",
          "signature");

  /** The name of a source of credentials and its settings, which are no secrets. */
  private static final Pattern SOURCE =
      Pattern.compile(
          "(?<![^;])credentials"
              + "(\\.(token-file|(?![a-z-]*(token|secret|password|key))[a-z-]+))?(?![^=;])");

  /** The parameters of signed URLs that the words above do not find. */
  private static final List<String> SIGNATURES = List.of("sig", "key", "auth");

  /**
   * Copies {@code options}.
   *
   * @throws IllegalArgumentException for a location or an option with a secret
   */
  public StoreDescription {
    options = new TreeMap<>(options);
    if (location.startsWith("file:/") && !location.startsWith("file://")) {
      location = "file://" + location.substring("file:".length());
    }
    for (Map.Entry<String, String> option : options.entrySet()) {
      String name = option.getKey();
      // the value of an option of an adapter has names of options, too
      String all = name.indexOf(':') < 0 ? name : name + ";" + option.getValue();
      String names = SOURCE.matcher(all).replaceAll("");
      boolean isPlace = name.startsWith(CONTAINER);
      boolean hasUser = isPlace && hasUser(name.substring(CONTAINER.length()));
      if (isSecret(names) || hasUser || hasUser(option.getValue())) {
        throw new IllegalArgumentException(
            "the option "
                + (hasUser ? CONTAINER : name)
                + " is a secret, which would be sent with every task and shown in plans; machines"
                + " find credentials in their environment, a profile or a role");
      }
    }
    if (hasUser(location)) {
      throw new IllegalArgumentException(
          "the location has a user or a password, which would be sent with every task; machines"
              + " find credentials in their environment, a profile or a role");
    }
    if (isSigned(location)) {
      throw new IllegalArgumentException(
          "the location has a signature or a key in its query, which would be sent with every task"
              + " and shown in plans; machines find credentials in their environment, a profile or"
              + " a role");
    }
  }

  /** Describes a store that each reader opens by itself. */
  public StoreDescription(String location, Map<String, String> options) {
    this(location, options, "");
  }

  /** Describes what an adapter opens here, such as {@code icechunk}. */
  public StoreDescription inside(String adapter) {
    return new StoreDescription(location + "|" + adapter + ":", options, state);
  }

  /** Describes the same place with another option. */
  public StoreDescription with(String name, String value) {
    Map<String, String> more = new TreeMap<>(options);
    more.put(name, value);
    return new StoreDescription(location, more, state);
  }

  /** Describes another place with these options, but for those that name a version. */
  public StoreDescription at(String other) {
    Map<String, String> left = new TreeMap<>(options);
    left.keySet().removeAll(List.of("branch", "tag", "snapshot", "as-of"));
    return new StoreDescription(other, left);
  }

  private static boolean isSecret(String text) {
    return SECRETS.stream().anyMatch(text.toLowerCase(Locale.ROOT)::contains);
  }

  /** Returns true for a parameter in the query of a URL that stands for credentials. */
  private static boolean isSigned(String location) {
    String url =
        location.indexOf('|') < 0 ? location : location.substring(0, location.indexOf('|'));
    int query = url.contains("://") ? url.indexOf('?') : -1;
    if (query < 0) {
      return false;
    }
    for (String parameter : url.substring(query + 1).split("&", -1)) {
      String name = parameter.split("=", 2)[0].toLowerCase(Locale.ROOT);
      if (isSecret(name) || SIGNATURES.contains(name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasUser(String location) {
    int authority = location.indexOf("://");
    if (authority < 0) {
      return false;
    }
    // before the @ of abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/ is a container
    if (location.startsWith("abfs://") || location.startsWith("abfss://")) {
      return location.substring(authority + 3).split("[/|?#]", 2)[0].matches("[^@]*:[^@]*@.*");
    }
    try {
      return URI.create(location).getRawUserInfo() != null;
    } catch (IllegalArgumentException e) {
      String rest = location.substring(authority + 3);
      return rest.split("[/|?#]", 2)[0].contains("@");
    }
  }

  /** The options in the form of the core. */
  public StoreOptions storeOptions() {
    StoreOptions all = StoreOptions.none();
    for (Map.Entry<String, String> option : options.entrySet()) {
      all = all.with(option.getKey(), option.getValue());
    }
    return all;
  }

  /**
   * Emits the description of what is at the location now, which the tasks of a query read, whatever
   * is committed meanwhile: the branch of an Icechunk repository becomes its snapshot. Errors are
   * those of {@link dev.zarrreactive.ZarrLocation#pin}.
   */
  public Mono<StoreDescription> pin() {
    return place()
        .pin()
        .map(
            pinned -> {
              Map<String, String> left = new TreeMap<>();
              pinned
                  .storeOptions()
                  .names()
                  .forEach(name -> left.put(name, pinned.storeOptions().text(name)));
              String text = pinned.toString();
              String seen = text.indexOf('|') < 0 ? "" : UUID.randomUUID().toString();
              return new StoreDescription(text, left, seen);
            });
  }

  /**
   * Opens what is at the location now, at one version, and works with it. A repository, or
   * references, that lie in place of a node are recognised and opened in its place. The hierarchy
   * stays open where the work succeeds, and the work closes it where it is no longer needed. Errors
   * are those of {@link #pin}, of {@link #open} and of the work, after which the store is closed.
   *
   * @param work receives the description of this version, and its hierarchy
   */
  public <T> Mono<T> openPinned(
      ZarrOptions operations, BiFunction<StoreDescription, ZarrHierarchy, Mono<T>> work) {
    return pin()
        .flatMap(
            pinned ->
                pinned
                    .open(operations)
                    .flatMap(
                        hierarchy ->
                            work.apply(pinned, hierarchy)
                                .onErrorResume(
                                    NodeNotFoundException.class,
                                    missing ->
                                        pinned.recognised(operations, hierarchy, missing, work))
                                .onErrorResume(
                                    error -> hierarchy.store().close().then(Mono.error(error)))));
  }

  private <T> Mono<T> recognised(
      ZarrOptions operations,
      ZarrHierarchy hierarchy,
      NodeNotFoundException missing,
      BiFunction<StoreDescription, ZarrHierarchy, Mono<T>> work) {
    return ForeignContent.inDirectory(hierarchy.store(), NodePath.ROOT)
        .filter(there -> there.adapter() != null && location.indexOf('|') < 0)
        .flatMap(there -> inside(there.adapter()).openPinned(operations, work))
        .flatMap(result -> hierarchy.store().close().thenReturn(result))
        .switchIfEmpty(Mono.error(missing));
  }

  private ZarrLocation place() {
    return Zarr.at(location).withStoreOptions(storeOptions());
  }

  /**
   * Opens the hierarchy in the store, one for each subscription. The subscriber closes its store.
   * The tasks of one process share connections, caches and one bound of bytes in flight. Errors are
   * those of {@link dev.zarrreactive.ZarrLocation#hierarchy()}.
   */
  public Mono<ZarrHierarchy> open(ZarrOptions operations) {
    return place().withOptions(operations).hierarchy();
  }

  /**
   * Reads from the hierarchy in the store, which is open for as long as the stream is. What the
   * driver has seen inside of a repository, an archive or references is opened once for the tasks
   * of this process, and stays open for the next ones.
   */
  public <T> Flux<T> read(ZarrOptions operations, Function<ZarrHierarchy, Flux<T>> work) {
    return state.isEmpty()
        ? Flux.usingWhen(open(operations), work, hierarchy -> hierarchy.store().close())
        : OpenStates.find(this, operations).flatMapMany(work);
  }
}
