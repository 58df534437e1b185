package dev.zarrreactive.s3;

import dev.zarrreactive.internal.s3.http.Interceptors;
import dev.zarrreactive.internal.transfer.TransferSettings;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.TlsMaterial;
import java.net.URI;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider.MeterRegistrar;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.ProxyConfiguration;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/** The settings of the client that a store makes; null for a default. */
final class ClientSettings {
  final TransferSettings transfer;
  @Nullable URI endpoint;
  @Nullable String region;
  @Nullable Boolean pathStyle;
  @Nullable String profile;
  @Nullable IdentityProvider<? extends AwsCredentialsIdentity> credentials;
  @Nullable CredentialSource source;
  @Nullable Boolean checksumsWhenSupported;
  @Nullable TlsMaterial tls;
  boolean unsignedPayload;
  boolean anonymous;

  /** Decorates the HTTP client; for tests. */
  UnaryOperator<SdkAsyncHttpClient> http = UnaryOperator.identity();

  /** Decorates the client of reads without the SDK; for tests. */
  UnaryOperator<HttpClient> reads = UnaryOperator.identity();

  /** Counts the connections of reads without the SDK; for tests. */
  @Nullable MeterRegistrar readCounter;

  /** True where the SDK makes the reads, too; for tests. */
  boolean readsBySdk;

  ClientSettings() {
    this(new TransferSettings());
  }

  private ClientSettings(TransferSettings transfer) {
    this.transfer = transfer;
  }

  /** Returns a copy of the settings. */
  ClientSettings copy() {
    ClientSettings copy = new ClientSettings(transfer.copy());
    copy.endpoint = endpoint;
    copy.region = region;
    copy.pathStyle = pathStyle;
    copy.profile = profile;
    copy.credentials = credentials;
    copy.source = source;
    copy.checksumsWhenSupported = checksumsWhenSupported;
    copy.tls = tls;
    copy.unsignedPayload = unsignedPayload;
    copy.anonymous = anonymous;
    copy.http = http;
    copy.reads = reads;
    copy.readCounter = readCounter;
    copy.readsBySdk = readsBySdk;
    return copy;
  }

  /**
   * Returns true where the SDK makes all reads: it verifies checksums, goes through a proxy, and
   * sends a certificate of the client.
   */
  boolean needsSdk() {
    ProxyConfiguration http = ProxyConfiguration.builder().scheme("http").build();
    ProxyConfiguration https = ProxyConfiguration.builder().scheme("https").build();
    return readsBySdk
        || Boolean.TRUE.equals(checksumsWhenSupported)
        || http.host() != null
        || https.host() != null
        || System.getProperty("javax.net.ssl.keyStore") != null;
  }

  /**
   * Returns true where the address of a bucket follows from the endpoint: the bucket is in the
   * path, and neither the environment nor an interceptor changes requests. It reads jars.
   */
  boolean isPlain() {
    return endpoint != null
        && pathStyle()
        && SdkSystemSetting.AWS_USE_FIPS_ENDPOINT.getStringValue().isEmpty()
        && SdkSystemSetting.AWS_USE_DUALSTACK_ENDPOINT.getStringValue().isEmpty()
        && !Interceptors.areThere();
  }

  /** Returns true for buckets in the path: few servers but Amazon's have a host for each bucket. */
  boolean pathStyle() {
    return pathStyle == null ? endpoint != null : pathStyle;
  }

  /**
   * Checks that at most one kind of credentials was set.
   *
   * @throws IllegalArgumentException where several were set
   */
  void check() {
    if (anonymous && (credentials != null || source != null || profile != null)) {
      throw new IllegalArgumentException(
          "anonymous excludes credentials and a profile: set one of them");
    }
    if ((credentials != null || source != null) && profile != null) {
      throw new IllegalArgumentException("credentials exclude a profile: set one of them");
    }
  }

  /**
   * Checks that none was set, for a client with its own settings.
   *
   * @throws IllegalArgumentException where one was set
   */
  void refuseAny() {
    boolean any =
        endpoint != null
            || region != null
            || pathStyle != null
            || profile != null
            || credentials != null
            || source != null
            || transfer.hasConnectTimeout()
            || checksumsWhenSupported != null
            || unsignedPayload
            || anonymous;
    if (any) {
      throw new IllegalArgumentException(
          "the store uses a given client: set endpoint, region, path style, profile, credentials,"
              + " anonymity, checksums, unsigned bodies and the connect timeout on that client");
    }
  }
}
