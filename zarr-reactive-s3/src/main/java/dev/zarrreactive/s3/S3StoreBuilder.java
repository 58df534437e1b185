package dev.zarrreactive.s3;

import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.transfer.SharedResources;
import dev.zarrreactive.internal.transfer.TransferSettings;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.TlsMaterial;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** The settings of an {@link S3Store}, for one thread. Each store that it builds is another. */
public final class S3StoreBuilder {
  /** The default of the SDK. */
  private static final int CONNECTIONS_OF_A_GIVEN_CLIENT = 50;

  private static final int SMALLEST_PART = 5 << 20;

  /** The clients of the stores that were opened by a URL, by their options. */
  private static final SharedResources<SharedS3Client.Key, SharedS3Client> SHARED =
      new SharedResources<>(client -> client.clients().close());

  private final String bucket;
  private final ClientSettings settings = new ClientSettings();
  private final TransferSettings transfer = settings.transfer;
  private String prefix = "";
  private boolean requesterPays;
  private boolean unquotedETags;
  private boolean versionIds;
  private boolean conditionalWrites = true;
  private boolean conditionalErase;
  private long multipartThreshold = 64 << 20;
  private int partSize = 16 << 20;
  private boolean conditionalMultipart;
  private boolean expectContinue = true;
  private @Nullable S3AsyncClient client;

  S3StoreBuilder(String bucket) {
    boolean arn = bucket.startsWith("arn:");
    if (bucket.isBlank() || (!arn && !bucket.matches("[A-Za-z0-9._-]+"))) {
      throw new IllegalArgumentException("not the name of a bucket: \"" + bucket + "\"");
    }
    this.bucket = bucket;
  }

  /**
   * Sets the prefix of the names of all objects of the store, as it is written: empty segments,
   * {@code .} and {@code ..} stay. One slash at its start is dropped, and one at its end may be
   * missing.
   */
  public S3StoreBuilder prefix(String prefix) {
    this.prefix = ObjectNames.prefix(prefix);
    return this;
  }

  /**
   * Sets a server other than Amazon's: {@code https://storage.example}. Buckets are then part of
   * the path, unless {@link #pathStyle} says otherwise.
   *
   * @throws IllegalArgumentException for a URI that is no URL of HTTP, or has user and password
   */
  public S3StoreBuilder endpoint(URI endpoint) {
    String scheme = String.valueOf(endpoint.getScheme()).toLowerCase(Locale.ROOT);
    boolean http = scheme.equals("http") || scheme.equals("https");
    if (!http || endpoint.getHost() == null) {
      throw new IllegalArgumentException("an endpoint is http://HOST or https://HOST");
    }
    if (endpoint.getRawUserInfo() != null || endpoint.getRawQuery() != null) {
      throw new IllegalArgumentException(
          "an endpoint must be without user, password and query: " + scheme + "://...");
    }
    settings.endpoint = endpoint;
    return this;
  }

  /**
   * Sets the region. The default is that of the environment or of the profile, which the first
   * request looks up; with an {@link #endpoint}, {@code us-east-1}.
   */
  public S3StoreBuilder region(String region) {
    settings.region = region;
    return this;
  }

  /** Puts the bucket into the path of URLs, as by default with an {@link #endpoint}, or not. */
  public S3StoreBuilder pathStyle(boolean pathStyle) {
    settings.pathStyle = pathStyle;
    return this;
  }

  /** Sends requests without credentials, for a public bucket. */
  public S3StoreBuilder anonymous() {
    settings.anonymous = true;
    return this;
  }

  /** Takes credentials, and the region, from a profile of the files of the AWS tools. */
  public S3StoreBuilder profile(String profile) {
    settings.profile = profile;
    return this;
  }

  /** Sets credentials that never change. */
  public S3StoreBuilder credentials(String accessKey, String secretKey) {
    return credentials(
        StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)));
  }

  /** Sets temporary credentials. */
  public S3StoreBuilder credentials(String accessKey, String secretKey, String sessionToken) {
    return credentials(
        StaticCredentialsProvider.create(
            AwsSessionCredentials.create(accessKey, secretKey, sessionToken)));
  }

  /**
   * Sets a provider of credentials, such as one of the AWS SDK, which may block: the store calls it
   * on a thread of its own, once for all requests. It calls it again shortly before the credentials
   * expire, after five minutes where they have no expiry, and when the server refuses them as
   * expired. The store does not close the provider. The default is {@code
   * DefaultCredentialsProvider} of the SDK.
   */
  public S3StoreBuilder credentials(
      IdentityProvider<? extends AwsCredentialsIdentity> credentials) {
    settings.credentials = credentials;
    settings.source = null;
    return this;
  }

  /**
   * Sets a source of keys of AWS. The first request looks them up; one request looks up the next
   * ones shortly before their expiry, and a request whose keys the server refuses as expired looks
   * them up again and is sent once more. Stores of equal sources share the look-ups. An error of
   * the source is an error of the request.
   */
  public S3StoreBuilder credentials(CredentialSource source) {
    settings.source = source;
    settings.credentials = null;
    return this;
  }

  /** Sets the certificates of the options of a location. */
  S3StoreBuilder material(TlsMaterial material) {
    settings.tls = material;
    return this;
  }

  /** Pays for requests, where the owner of the bucket does not; off by default. */
  public S3StoreBuilder requesterPays(boolean pays) {
    this.requesterPays = pays;
    return this;
  }

  /**
   * Takes 401 and 403 of a read for a missing value, as servers answer to callers that may not list
   * the bucket. By default they are errors: a forbidden chunk must not read as fill values.
   */
  public S3StoreBuilder forbiddenIsMissing(boolean missing) {
    transfer.setForbiddenIsMissing(missing);
    return this;
  }

  /**
   * Sends and verifies checksums wherever the SDK can, or only where S3 requires them, as by
   * default: many compatible servers refuse them.
   */
  public S3StoreBuilder checksumsWhenSupported(boolean whenSupported) {
    settings.checksumsWhenSupported = whenSupported;
    return this;
  }

  /**
   * Leaves bodies over plain HTTP unsigned, as the SDK does over HTTPS; off by default. Writes then
   * take less processor time and memory: a body that is signed is hashed with SHA-256, and copied,
   * before it is sent. The server cannot tell that the network has changed a body. Where a server
   * closes the connection to refuse a condition, a conditional write may end in a {@code
   * TransientStoreException}.
   */
  public S3StoreBuilder unsignedPayload(boolean unsigned) {
    settings.unsignedPayload = unsigned;
    return this;
  }

  /** Sends ETags without quotation marks, as some versions of Ceph need them; off by default. */
  public S3StoreBuilder unquotedETags(boolean unquoted) {
    this.unquotedETags = unquoted;
    return this;
  }

  /**
   * Adds the version id of the object to its version, for buckets that keep versions: a read of one
   * version succeeds even after the value was replaced. Other buckets have no ids. By default a
   * version is the ETag.
   */
  public S3StoreBuilder versionIds(boolean ids) {
    this.versionIds = ids;
    return this;
  }

  /**
   * Says that the server checks {@code If-Match} and {@code If-None-Match} of a PUT; on by default.
   */
  public S3StoreBuilder conditionalWrites(boolean can) {
    this.conditionalWrites = can;
    return this;
  }

  /**
   * Says that the server checks {@code If-Match} and {@code If-None-Match} at the end of an upload
   * in parts; off by default. A conditional write is then one PUT of any size: several servers
   * ignore the conditions at the end of an upload, and would overwrite the value of another
   * program. Amazon S3, MinIO and versitygw check them, Ceph and moto do not.
   */
  public S3StoreBuilder conditionalMultipart(boolean can) {
    this.conditionalMultipart = can;
    return this;
  }

  /**
   * Sends {@code Expect: 100-continue} before the body of a conditional write of more than 256 KiB;
   * on by default. Without it, a server that refuses the condition at once may close the connection
   * under the body, and the result of the write is unknown. Switch it off for a server that never
   * responds to it: the write would fail with the {@link #stallTimeout}.
   */
  public S3StoreBuilder expectContinue(boolean expect) {
    this.expectContinue = expect;
    return this;
  }

  /** Says that the server checks {@code If-Match} of a DELETE; off by default: many do not. */
  public S3StoreBuilder conditionalErase(boolean can) {
    this.conditionalErase = can;
    return this;
  }

  /**
   * Sets the largest number of requests at a time, and of connections in each of the pools of reads
   * and of other requests; 64 by default, or 50 with a given {@link #client}, which must have as
   * many. More requests wait.
   */
  public S3StoreBuilder connections(int most) {
    transfer.setConnections(most);
    return this;
  }

  /** Sets the timeout of a new connection; 10 seconds by default. */
  public S3StoreBuilder connectTimeout(Duration timeout) {
    transfer.setConnectTimeout(timeout);
    return this;
  }

  /**
   * Sets the time without a byte received or sent after which a request fails; 30 seconds by
   * default. The server may take ten times as long to join the parts of a large value.
   */
  public S3StoreBuilder stallTimeout(Duration timeout) {
    transfer.setStallTimeout(timeout);
    return this;
  }

  /** Sets the number of times that a read resumes a body that was cut; 3 by default. */
  public S3StoreBuilder resumes(int resumes) {
    transfer.setResumes(resumes);
    return this;
  }

  /**
   * Uploads values larger than {@code threshold} in parts of {@code partSize}, up to four at a
   * time; 64 MiB and 16 MiB by default. A conditional write is one PUT unless {@link
   * #conditionalMultipart} allows parts.
   *
   * @throws IllegalArgumentException for parts smaller than 5 MiB, the minimum of S3
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
   * Uses a client of the application, with its own server, region, credentials and connections: set
   * none of them here. The store does not close the client. The store calls it on threads that may
   * block, for its credentials may block. Switch its retries off: {@code Stores.retrying} knows the
   * errors of the store, and a client that repeats a conditional write meets its own first one.
   */
  public S3StoreBuilder client(S3AsyncClient client) {
    this.client = client;
    return this;
  }

  /** Changes the settings of the client, for tests. */
  S3StoreBuilder with(Consumer<ClientSettings> change) {
    change.accept(settings);
    return this;
  }

  /**
   * Returns the store, which connects and looks up credentials at its first request.
   *
   * @throws IllegalArgumentException where settings contradict each other or a given client
   */
  public S3Store open() {
    S3Settings requests = requests();
    if (client != null) {
      settings.refuseAny();
      int most = transfer.connections(CONNECTIONS_OF_A_GIVEN_CLIENT);
      return store(requests, S3Clients.given(client), RequestLimit.fixed(most));
    }
    return store(requests, made(), RequestLimit.fixed(transfer.connections()));
  }

  /**
   * Returns the store over the client and the limits that all stores with equal options share. The
   * last store that closes closes the client.
   *
   * @param options of the store, which this builder has
   */
  Stores.Stack shared(StoreOptions options) {
    S3Settings requests = requests();
    SharedResources.Lease<SharedS3Client> lease =
        SHARED.lease(
            key(options),
            () ->
                new SharedS3Client(
                    made(),
                    RequestLimit.fixed(transfer.connections()),
                    RequestLimit.adaptive(transfer.connections())));
    SharedS3Client shared = lease.resource();
    return Stores.stack(store(requests, S3Clients.leased(lease), shared.limit()))
        .limit(shared.operations());
  }

  /**
   * Returns the key of a shared client: buckets of Amazon may be in several regions, a client in
   * one.
   */
  private SharedS3Client.Key key(StoreOptions options) {
    boolean anyRegion = settings.region == null && settings.endpoint == null;
    return new SharedS3Client.Key(options, anyRegion ? bucket : "");
  }

  /** Returns the number of shared clients. */
  static int sharedClients() {
    return SHARED.size();
  }

  private S3Clients made() {
    return S3Clients.made(settings.copy());
  }

  private S3Settings requests() {
    settings.check();
    return new S3Settings(
        bucket,
        new ObjectNames("s3://" + bucket + "/", prefix),
        requesterPays,
        transfer.forbiddenIsMissing(),
        unquotedETags,
        versionIds,
        conditionalWrites,
        conditionalErase,
        transfer.stallTimeout(),
        transfer.resumes(),
        multipartThreshold,
        partSize,
        conditionalMultipart,
        expectContinue);
  }

  private static S3Store store(S3Settings requests, S3Clients clients, RequestLimit limit) {
    return new S3Store(
        requests, new S3Requests(clients, limit, requests.bucket(), requests.stallTimeout()));
  }
}
