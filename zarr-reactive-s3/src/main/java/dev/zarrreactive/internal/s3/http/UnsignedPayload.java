package dev.zarrreactive.internal.s3.http;

import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * Signs requests over plain HTTP as the SDK signs them over HTTPS: without their bodies. A signed
 * body is hashed, and copied, before its first byte is sent.
 */
public final class UnsignedPayload implements AwsV4AuthScheme {
  private static final String ENCRYPTED = "https";

  private final AwsV4AuthScheme delegate = AwsV4AuthScheme.create();
  private final Signer signer = new Signer(delegate.signer());

  @Override
  public String schemeId() {
    return delegate.schemeId();
  }

  @Override
  public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
    return delegate.identityProvider(providers);
  }

  @Override
  public AwsV4HttpSigner signer() {
    return signer;
  }

  /** The protocol is no part of what is signed; it decides whether the body is. */
  private record Signer(AwsV4HttpSigner delegate) implements AwsV4HttpSigner {
    @Override
    public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
      String protocol = request.request().protocol();
      SignedRequest signed =
          delegate.sign(request.toBuilder().request(over(ENCRYPTED, request.request())).build());
      return signed.toBuilder().request(over(protocol, signed.request())).build();
    }

    @Override
    public CompletableFuture<AsyncSignedRequest> signAsync(
        AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
      String protocol = request.request().protocol();
      return delegate
          .signAsync(request.toBuilder().request(over(ENCRYPTED, request.request())).build())
          .thenApply(
              signed -> signed.toBuilder().request(over(protocol, signed.request())).build());
    }

    private static SdkHttpRequest over(String protocol, SdkHttpRequest request) {
      return request.toBuilder().protocol(protocol).build();
    }
  }
}
