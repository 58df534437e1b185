package dev.zarrreactive.s3;

import java.util.function.UnaryOperator;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/** Makes the client of HTTP around the SDK's own one, or around what a test makes of that. */
record CancellableHttpBuilder(
    SdkAsyncHttpClient.Builder<?> http, UnaryOperator<SdkAsyncHttpClient> own)
    implements SdkAsyncHttpClient.Builder<CancellableHttpBuilder> {
  @Override
  public SdkAsyncHttpClient buildWithDefaults(AttributeMap defaults) {
    return new CancellableHttp(own.apply(http.buildWithDefaults(defaults)));
  }
}
