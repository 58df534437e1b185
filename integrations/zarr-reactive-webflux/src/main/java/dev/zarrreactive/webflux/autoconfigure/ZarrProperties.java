package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code zarr.*} of a service. {@code toString} shows no secret.
 *
 * @param location the place of the hierarchy: a path, or a URL such as {@code s3://bucket/path};
 *     the store is opened only with it
 * @param store the options of the store by name, such as {@code endpoint}, {@code connect-timeout}
 *     or {@code bearer-token}
 * @param credentials the keys of the store, where they are properties themselves
 * @param ssl the certificates of the store
 * @param stores further hierarchies by name
 * @param maxConcurrency see {@link ZarrOptions#withMaxConcurrency}
 * @param maxInFlight see {@link ZarrOptions#withMaxInFlightBytes}
 * @param decodedChunkCache see {@link ZarrOptions#withDecodedChunkCache}
 * @param consolidatedMetadata see {@link ZarrOptions#withConsolidatedMetadata}
 * @param format see {@link ZarrOptions#withZarrFormat}
 * @param maxSliceSize the most bytes of the elements of a slice, above which the response is 413;
 *     unlimited by default
 * @param maxSlices the most slices at a time; a further one is answered with 503. By default one
 *     for each MiB in flight, at least 16 and at most 256
 * @param maxWait see {@link ZarrOptions#withMaxWait}; 0 for any time
 * @param maxUnsent the most bytes of a connection that the operating system takes ahead of the
 *     client; 0 for the system's own choice
 * @param stallTimeout the time after which a connection is closed whose client takes no byte; 0 for
 *     never
 * @param leastSpeed the bytes per second below which a connection is closed, if bytes wait for its
 *     client through a whole stall timeout; 0 for any speed
 * @param independentOperations see {@link ZarrOptions#withIndependentOperations}
 * @param healthTimeout the time in which the store answers the health check
 * @param rootRequired whether the health is DOWN where no node is at the root
 * @param retryAfter the delay in a response of 503, if the store asks for none
 */
@ConfigurationProperties("zarr")
public record ZarrProperties(
    @Nullable String location,
    @DefaultValue Map<String, String> store,
    @Nullable Keys credentials,
    @Nullable Ssl ssl,
    @DefaultValue Map<String, Named> stores,
    @Nullable Integer maxConcurrency,
    @Nullable DataSize maxInFlight,
    @Nullable DataSize decodedChunkCache,
    @Nullable Boolean consolidatedMetadata,
    @Nullable Integer format,
    @Nullable DataSize maxSliceSize,
    @Nullable Integer maxSlices,
    @DefaultValue("10s") Duration maxWait,
    @DefaultValue("128KB") DataSize maxUnsent,
    @DefaultValue("1m") Duration stallTimeout,
    @DefaultValue("2KB") DataSize leastSpeed,
    @DefaultValue("true") boolean independentOperations,
    @DefaultValue("1s") Duration healthTimeout,
    @DefaultValue("true") boolean rootRequired,
    @DefaultValue("5s") Duration retryAfter) {

  /** Where a store is, and how it is reached. */
  record Place(
      @Nullable String location,
      Map<String, String> store,
      @Nullable Keys credentials,
      @Nullable Ssl ssl) {}

  /**
   * The properties {@code zarr.stores.NAME.*} of a further hierarchy. What is absent is as for the
   * others.
   *
   * @param location the place of the hierarchy
   * @param store the options of the store by name
   * @param credentials the keys of the store, where they are properties themselves
   * @param ssl the certificates of the store
   * @param maxConcurrency see {@link ZarrOptions#withMaxConcurrency}
   * @param maxInFlight see {@link ZarrOptions#withMaxInFlightBytes}; by default an equal share of
   *     {@code zarr.max-in-flight}
   * @param decodedChunkCache see {@link ZarrOptions#withDecodedChunkCache}
   * @param consolidatedMetadata see {@link ZarrOptions#withConsolidatedMetadata}
   * @param format see {@link ZarrOptions#withZarrFormat}
   * @param healthTimeout the time in which the store answers the health check
   * @param rootRequired whether the health is DOWN where no node is at the root
   */
  public record Named(
      @Nullable String location,
      @DefaultValue Map<String, String> store,
      @Nullable Keys credentials,
      @Nullable Ssl ssl,
      @Nullable Integer maxConcurrency,
      @Nullable DataSize maxInFlight,
      @Nullable DataSize decodedChunkCache,
      @Nullable Boolean consolidatedMetadata,
      @Nullable Integer format,
      @Nullable Duration healthTimeout,
      @Nullable Boolean rootRequired) {

    Place place() {
      return new Place(location, store, credentials, ssl);
    }

    /** Returns options with what this hierarchy has for itself. */
    ZarrOptions options(ZarrOptions options) {
      ZarrOptions own = with(options, maxConcurrency, ZarrOptions::withMaxConcurrency);
      own = with(own, bytes(maxInFlight), ZarrOptions::withMaxInFlightBytes);
      own = with(own, bytes(decodedChunkCache), ZarrOptions::withDecodedChunkCache);
      own = with(own, consolidatedMetadata, ZarrOptions::withConsolidatedMetadata);
      return with(own, format, ZarrOptions::withZarrFormat);
    }

    @Override
    public String toString() {
      return "location=" + location + ", store=" + store.keySet();
    }
  }

  /**
   * The certificates of a store.
   *
   * @param bundle the name of a bundle of {@code spring.ssl.bundle}
   */
  public record Ssl(@Nullable String bundle) {}

  /**
   * The keys of a store, of one kind. {@code toString} shows none.
   *
   * @param accessKey of AWS, with {@code secretKey}
   * @param secretKey of AWS
   * @param sessionToken of AWS, of keys that expire
   * @param bearerToken a token
   * @param query a signature, such as that of Azure
   * @param account an account of Azure, with {@code accountKey}
   * @param accountKey in Base64
   */
  public record Keys(
      @Nullable String accessKey,
      @Nullable String secretKey,
      @Nullable String sessionToken,
      @Nullable String bearerToken,
      @Nullable String query,
      @Nullable String account,
      @Nullable String accountKey) {

    /**
     * Returns the source that always gives them.
     *
     * @throws IllegalArgumentException for none, a part of a kind, or several kinds
     */
    CredentialSource source() {
      List<Credential> kinds = new ArrayList<>();
      if (accessKey != null && secretKey != null) {
        kinds.add(new Credential.AwsKeys(accessKey, secretKey, sessionToken));
      }
      if (bearerToken != null) {
        kinds.add(Credential.bearer(bearerToken));
      }
      if (query != null) {
        kinds.add(new Credential.Query(query));
      }
      if (account != null && accountKey != null) {
        kinds.add(new Credential.AccountKey(account, accountKey));
      }
      boolean isWhole =
          (accessKey == null) == (secretKey == null)
              && (sessionToken == null || accessKey != null)
              && (account == null) == (accountKey == null);
      if (kinds.size() != 1 || !isWhole) {
        throw new IllegalArgumentException(
            "the credentials are one of access-key with secret-key, bearer-token, query, and"
                + " account with account-key");
      }
      return CredentialSource.fixed(kinds.get(0));
    }

    /** No key. */
    @Override
    public String toString() {
      return "Keys";
    }
  }

  private static final int FEWEST_SLICES = 16;
  private static final int MOST_SLICES = 256;

  /** Returns the options of operations; the defaults of the library for absent properties. */
  ZarrOptions options() {
    ZarrOptions options = ZarrOptions.defaults().withIndependentOperations(independentOperations);
    options = with(options, maxWait.isZero() ? null : maxWait, ZarrOptions::withMaxWait);
    options = with(options, maxConcurrency, ZarrOptions::withMaxConcurrency);
    options = with(options, bytes(maxInFlight), ZarrOptions::withMaxInFlightBytes);
    options = with(options, bytes(decodedChunkCache), ZarrOptions::withDecodedChunkCache);
    options = with(options, consolidatedMetadata, ZarrOptions::withConsolidatedMetadata);
    return with(options, format, ZarrOptions::withZarrFormat);
  }

  /**
   * Returns the most slices at a time. A slow client of one holds a MiB of pieces in the server's
   * queue, and a band or two of the bytes in flight.
   */
  int slices() {
    long mebibytes = options().maxInFlightBytes() >> 20;
    return maxSlices == null
        ? (int) Math.min(MOST_SLICES, Math.max(FEWEST_SLICES, mebibytes))
        : maxSlices;
  }

  private static @Nullable Long bytes(@Nullable DataSize size) {
    return size == null ? null : size.toBytes();
  }

  private static <T> ZarrOptions with(
      ZarrOptions options, @Nullable T value, BiFunction<ZarrOptions, T, ZarrOptions> change) {
    return value == null ? options : change.apply(options, value);
  }

  Place place() {
    return new Place(location, store, credentials, ssl);
  }

  @Override
  public String toString() {
    return "zarr.location="
        + location
        + ", zarr.store="
        + store.keySet()
        + ", zarr.stores="
        + stores;
  }
}
