package dev.zarrreactive.s3;

import java.net.URI;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/** How a client is made, where the store makes it; what is null is as it is by default. */
final class ClientSettings {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  @Nullable URI endpoint;
  @Nullable String region;
  @Nullable Boolean pathStyle;
  @Nullable String profile;
  @Nullable IdentityProvider<? extends AwsCredentialsIdentity> credentials;
  @Nullable Duration connectTimeout;
  @Nullable Boolean checksumsWhenSupported;
  boolean anonymous;

  /** Told of the client of HTTP when it is made; returns the one to use. */
  UnaryOperator<SdkAsyncHttpClient> http = UnaryOperator.identity();

  /** As it is now. */
  ClientSettings copy() {
    ClientSettings copy = new ClientSettings();
    copy.endpoint = endpoint;
    copy.region = region;
    copy.pathStyle = pathStyle;
    copy.profile = profile;
    copy.credentials = credentials;
    copy.connectTimeout = connectTimeout;
    copy.checksumsWhenSupported = checksumsWhenSupported;
    copy.anonymous = anonymous;
    copy.http = http;
    return copy;
  }

  Duration connectTimeout() {
    return connectTimeout == null ? CONNECT_TIMEOUT : connectTimeout;
  }

  /** Servers that are not Amazon's seldom have a host name for each bucket. */
  boolean pathStyle() {
    return pathStyle == null ? endpoint != null : pathStyle;
  }

  /**
   * Who asks is said in one way.
   *
   * @throws IllegalArgumentException where it is said in several
   */
  void check() {
    if (anonymous && (credentials != null || profile != null)) {
      throw new IllegalArgumentException("anonymous, and with credentials or a profile");
    }
    if (credentials != null && profile != null) {
      throw new IllegalArgumentException("credentials, and a profile to take them from");
    }
  }

  /**
   * For a client that has its own.
   *
   * @throws IllegalArgumentException where one of them was set
   */
  void refuseAny() {
    boolean any =
        endpoint != null
            || region != null
            || pathStyle != null
            || profile != null
            || credentials != null
            || connectTimeout != null
            || checksumsWhenSupported != null
            || anonymous;
    if (any) {
      throw new IllegalArgumentException(
          "endpoint, region, path style, profile, credentials, anonymity, checksums and the time to"
              + " connect are settings of the client that was given");
    }
  }
}
