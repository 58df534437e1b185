package dev.zarrreactive.s3.http;

import java.util.function.UnaryOperator;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/** Builds the HTTP client around that of the SDK, which a test may decorate. */
public record CancellableHttpBuilder(
    SdkAsyncHttpClient.Builder<?> http, UnaryOperator<SdkAsyncHttpClient> own)
    implements SdkAsyncHttpClient.Builder<CancellableHttpBuilder> {
  @Override
  public SdkAsyncHttpClient buildWithDefaults(AttributeMap defaults) {
    return new CancellableHttp(own.apply(http.buildWithDefaults(defaults)));
  }
}
