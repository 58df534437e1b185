package dev.zarrreactive.spark.partition;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.store.StoreOptions;
import java.io.Serializable;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import reactor.core.publisher.Mono;

/**
 * A store by its location and its options, as a driver sends it to the machines that read. It has
 * no secret: credentials come from the environment, the profile or the role of each machine.
 * Immutable, serializable and thread-safe.
 *
 * @param location a path or an URL, as {@link Zarr#at} takes it; {@code file:/x}, as Hadoop writes
 *     it, becomes {@code file:///x}
 * @param options the options of the store
 */
public record StoreDescription(String location, Map<String, String> options)
    implements Serializable {
  private static final long serialVersionUID = 1;
  private static final List<String> SECRETS =
      List.of("secret", "password", "token", "credential", "access-key", "accesskey");

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
      String names = name.indexOf(':') < 0 ? name : name + option.getValue();
      if (SECRETS.stream().anyMatch(names.toLowerCase(Locale.ROOT)::contains)) {
        throw new IllegalArgumentException(
            "the option "
                + name
                + " is a secret, which would be sent with every task and shown in plans; machines"
                + " find credentials in their environment, a profile or a role");
      }
    }
    if (hasUser(location)) {
      throw new IllegalArgumentException(
          "the location has a user or a password, which would be sent with every task; machines"
              + " find credentials in their environment, a profile or a role");
    }
  }

  private static boolean hasUser(String location) {
    int authority = location.indexOf("://");
    if (authority < 0) {
      return false;
    }
    try {
      return URI.create(location).getRawUserInfo() != null;
    } catch (IllegalArgumentException e) {
      int end = location.indexOf('/', authority + 3);
      return location.substring(authority, end < 0 ? location.length() : end).contains("@");
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
   * Opens the hierarchy in the store, one for each subscription. The subscriber closes its store.
   * The tasks of one process share connections, caches and one bound of bytes in flight. Errors are
   * those of {@link dev.zarrreactive.ZarrLocation#hierarchy()}.
   */
  public Mono<ZarrHierarchy> open(ZarrOptions operations) {
    return Zarr.at(location).withStoreOptions(storeOptions()).withOptions(operations).hierarchy();
  }
}
