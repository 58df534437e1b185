package dev.zarrreactive.s3;

import dev.zarrreactive.internal.sharing.SharedResources;
import dev.zarrreactive.store.RequestLimit;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreStack;
import dev.zarrreactive.store.Stores;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** The settings of an {@link S3Store}. For one thread; each store that it makes is its own. */
public final class S3StoreBuilder {
  private static final int CONNECTIONS = 64;

  /** What clients have, where nobody said otherwise. */
  private static final int CONNECTIONS_OF_A_GIVEN_CLIENT = 50;

  private static final int SMALLEST_PART = 5 << 20;

  /** The clients of stores that were opened by a URL, by the options that they were told. */
  private static final SharedResources<SharedS3Client.Key, SharedS3Client> SHARED =
      new SharedResources<>(client -> client.clients().close());

  private final String bucket;
  private final ClientSettings settings = new ClientSettings();
  private String prefix = "";
  private boolean requesterPays;
  private boolean forbiddenIsMissing;
  private boolean unquotedETags;
  private boolean versionIds;
  private boolean conditionalWrites = true;
  private boolean conditionalErase;
  private Duration stallTimeout = Duration.ofSeconds(30);
  private int resumes = 3;
  private long multipartThreshold = 64 << 20;
  private int partSize = 16 << 20;
  private boolean conditionalMultipart;
  private boolean expectContinue = true;
  private @Nullable Integer connections;
  private @Nullable S3AsyncClient client;

  S3StoreBuilder(String bucket) {
    boolean arn = bucket.startsWith("arn:");
    if (bucket.isBlank() || (!arn && !bucket.matches("[A-Za-z0-9._-]+"))) {
      throw new IllegalArgumentException("not the name of a bucket: \"" + bucket + "\"");
    }
    this.bucket = bucket;
  }

  /**
   * What the names of all objects of the store begin with, as a directory does: no slash needed.
   */
  public S3StoreBuilder prefix(String prefix) {
    String bare = prefix;
    while (bare.startsWith("/")) {
      bare = bare.substring(1);
    }
    while (bare.endsWith("/")) {
      bare = bare.substring(0, bare.length() - 1);
    }
    this.prefix = bare.isEmpty() ? "" : bare + "/";
    return this;
  }

  /**
   * The server, where it is not Amazon's: {@code https://storage.example}. Buckets are then part of
   * the path, unless {@link #pathStyle} says otherwise.
   *
   * @throws IllegalArgumentException where the URI is no URL of HTTP, or has user and password
   */
  public S3StoreBuilder endpoint(URI endpoint) {
    String scheme = String.valueOf(endpoint.getScheme()).toLowerCase(Locale.ROOT);
    boolean http = scheme.equals("http") || scheme.equals("https");
    if (!http || endpoint.getHost() == null) {
      throw new IllegalArgumentException("an endpoint is http://HOST or https://HOST");
    }
    if (endpoint.getRawUserInfo() != null || endpoint.getRawQuery() != null) {
      throw new IllegalArgumentException(
          "an endpoint has no user, no password and no query: " + scheme + "://...");
    }
    settings.endpoint = endpoint;
    return this;
  }

  /**
   * The region. By default it is that of the environment or of the profile, which are asked when
   * the first request needs it; with an {@link #endpoint}, {@code us-east-1}.
   */
  public S3StoreBuilder region(String region) {
    settings.region = region;
    return this;
  }

  /** Whether the bucket is in the path of URLs; true by default with an {@link #endpoint}. */
  public S3StoreBuilder pathStyle(boolean pathStyle) {
    settings.pathStyle = pathStyle;
    return this;
  }

  /** Asks without credentials, for what is public. */
  public S3StoreBuilder anonymous() {
    settings.anonymous = true;
    return this;
  }

  /** Takes credentials, and the region, from a profile of the files of the AWS tools. */
  public S3StoreBuilder profile(String profile) {
    settings.profile = profile;
    return this;
  }

  /** Credentials that do not change. */
  public S3StoreBuilder credentials(String accessKey, String secretKey) {
    return credentials(
        StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)));
  }

  /** Credentials for a while. */
  public S3StoreBuilder credentials(String accessKey, String secretKey, String sessionToken) {
    return credentials(
        StaticCredentialsProvider.create(
            AwsSessionCredentials.create(accessKey, secretKey, sessionToken)));
  }

  /**
   * Credentials of a provider, such as one of the AWS SDK, which may block: it is asked on a thread
   * of the store, by one request for all, and again two minutes before what it gave expires, after
   * five minutes where that does not say, and when the server says that they have expired. It is
   * not closed by the store. By default it is the SDK's {@code DefaultCredentialsProvider}.
   */
  public S3StoreBuilder credentials(
      IdentityProvider<? extends AwsCredentialsIdentity> credentials) {
    settings.credentials = credentials;
    return this;
  }

  /** Whether to pay for requests, where the owner of the bucket does not; no by default. */
  public S3StoreBuilder requesterPays(boolean pays) {
    this.requesterPays = pays;
    return this;
  }

  /**
   * Whether 401 and 403 to a read mean that there is no value, as with servers that hide what the
   * caller may not list. By default they do not: a chunk that one may not read is not fill value.
   */
  public S3StoreBuilder forbiddenIsMissing(boolean missing) {
    this.forbiddenIsMissing = missing;
    return this;
  }

  /**
   * Whether checksums are sent and verified wherever the SDK can, or only where S3 requires them,
   * as by default: many servers that are not Amazon's refuse them.
   */
  public S3StoreBuilder checksumsWhenSupported(boolean whenSupported) {
    settings.checksumsWhenSupported = whenSupported;
    return this;
  }

  /** Whether ETags are sent without quotation marks, as some versions of Ceph want them. */
  public S3StoreBuilder unquotedETags(boolean unquoted) {
    this.unquotedETags = unquoted;
    return this;
  }

  /**
   * Whether a version is told by the id under which the bucket keeps it, so that a read of one
   * version gets it also after it has been replaced. For buckets that keep versions; in others it
   * changes nothing. By default a version is the ETag.
   */
  public S3StoreBuilder versionIds(boolean ids) {
    this.versionIds = ids;
    return this;
  }

  /** Whether the server looks at {@code If-Match} and {@code If-None-Match} of a PUT; yes. */
  public S3StoreBuilder conditionalWrites(boolean can) {
    this.conditionalWrites = can;
    return this;
  }

  /**
   * Whether the server looks at {@code If-Match} and {@code If-None-Match} when the parts of a
   * large value are put together; no by default. Then a value that is set on condition goes in one
   * PUT, however large it is: several servers ignore the conditions at the end of an upload in
   * parts, and would overwrite what another program has written. Amazon S3, MinIO and versitygw
   * look at them, Ceph and moto do not.
   */
  public S3StoreBuilder conditionalMultipart(boolean can) {
    this.conditionalMultipart = can;
    return this;
  }

  /**
   * Whether a write on condition of more than 256 KiB asks with {@code Expect: 100-continue} before
   * it sends the body; yes by default. Without that, a server that refuses the condition at once
   * may close the connection under the body, and the end of the write is unknown. Switch it off for
   * a server that never answers to it: the write would end at the {@link #stallTimeout}.
   */
  public S3StoreBuilder expectContinue(boolean expect) {
    this.expectContinue = expect;
    return this;
  }

  /** Whether the server looks at {@code If-Match} of a DELETE; no by default: many do not. */
  public S3StoreBuilder conditionalErase(boolean can) {
    this.conditionalErase = can;
    return this;
  }

  /**
   * How many requests, and so connections, there may be at a time; 64 by default, or 50 where a
   * {@link #client} is given, which must have as many. More requests wait.
   */
  public S3StoreBuilder connections(int most) {
    if (most < 1) {
      throw new IllegalArgumentException(most + " connections");
    }
    this.connections = most;
    return this;
  }

  /** How long a connection may take to be made; 10 seconds by default. */
  public S3StoreBuilder connectTimeout(Duration timeout) {
    settings.connectTimeout = positive(timeout);
    return this;
  }

  /**
   * How long nothing may arrive, and nothing be sent, before a request fails; 30 seconds by
   * default. Parts of a large value may take ten times as long to be put together.
   */
  public S3StoreBuilder stallTimeout(Duration timeout) {
    this.stallTimeout = positive(timeout);
    return this;
  }

  /** How often a body that was cut is continued before the error is handed on; 3 by default. */
  public S3StoreBuilder resumes(int resumes) {
    if (resumes < 0) {
      throw new IllegalArgumentException(resumes + " resumes");
    }
    this.resumes = resumes;
    return this;
  }

  /**
   * How values are written that are larger than {@code threshold}: in parts of {@code partSize}, up
   * to four at a time. By default 64 MiB and 16 MiB. A value that is set on condition goes in one
   * PUT unless {@link #conditionalMultipart} allows parts.
   *
   * @throws IllegalArgumentException where parts would be smaller than the 5 MiB that S3 demands
   */
  public S3StoreBuilder multipart(long threshold, int partSize) {
    if (threshold < 0 || partSize < SMALLEST_PART) {
      throw new IllegalArgumentException(
          "parts of "
              + partSize
              + " bytes above "
              + threshold
              + "; a part has "
              + SMALLEST_PART
              + " bytes or more");
    }
    this.multipartThreshold = threshold;
    this.partSize = partSize;
    return this;
  }

  /**
   * Uses a client of the application, with its own server, region, credentials and connections,
   * which are then not set here; the store does not close it. It is called on threads of the store,
   * for its credentials may block. Switch its retries off: the store's errors are made for {@code
   * Stores.retrying}, and a client that repeats a conditional write takes its own for another's.
   */
  public S3StoreBuilder client(S3AsyncClient client) {
    this.client = client;
    return this;
  }

  /** For tests: is told of the client of HTTP, and returns the one to use. */
  S3StoreBuilder http(UnaryOperator<SdkAsyncHttpClient> http) {
    settings.http = http;
    return this;
  }

  /**
   * The store. Nothing is connected, and nobody asked, yet.
   *
   * @throws IllegalArgumentException where settings contradict each other, or were made for a
   *     client that has its own
   */
  public S3Store build() {
    S3Settings requests = requests();
    if (client != null) {
      settings.refuseAny();
      int most = connections == null ? CONNECTIONS_OF_A_GIVEN_CLIENT : connections;
      return store(requests, S3Clients.given(client), RequestLimit.fixed(most));
    }
    return store(requests, made(), RequestLimit.fixed(most()));
  }

  /**
   * The store, over the client and the limits of all stores that were opened with equal options;
   * the last of them that is closed closes the client.
   *
   * @param options those that this builder was told
   */
  StoreStack shared(StoreOptions options) {
    S3Settings requests = requests();
    SharedResources.Lease<SharedS3Client> lease =
        SHARED.lease(
            key(options),
            () ->
                new SharedS3Client(
                    made(), RequestLimit.fixed(most()), RequestLimit.adaptive(most())));
    SharedS3Client shared = lease.resource();
    return Stores.stack(store(requests, S3Clients.leased(lease), shared.limit()))
        .limit(shared.operations());
  }

  /** The buckets of Amazon's may be in several regions; a client is in one. */
  private SharedS3Client.Key key(StoreOptions options) {
    boolean anyRegion = settings.region == null && settings.endpoint == null;
    return new SharedS3Client.Key(options, anyRegion ? bucket : "");
  }

  /** How many clients stores share. */
  static int sharedClients() {
    return SHARED.size();
  }

  private int most() {
    return connections == null ? CONNECTIONS : connections;
  }

  private S3Clients made() {
    return S3Clients.made(settings.copy(), most(), stallTimeout);
  }

  private S3Settings requests() {
    settings.check();
    return new S3Settings(
        bucket,
        prefix,
        requesterPays,
        forbiddenIsMissing,
        unquotedETags,
        versionIds,
        conditionalWrites,
        conditionalErase,
        stallTimeout,
        resumes,
        multipartThreshold,
        partSize,
        conditionalMultipart,
        expectContinue);
  }

  private static S3Store store(S3Settings requests, S3Clients clients, RequestLimit limit) {
    return new S3Store(requests, new S3Requests(clients, limit, requests.stallTimeout()));
  }

  private static Duration positive(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("a timeout of " + timeout);
    }
    return timeout;
  }
}
