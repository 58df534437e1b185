package dev.zarrreactive.s3;

import java.util.function.Consumer;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/** Makes the client of HTTP, and tells of the SDK's own one in it. */
record CountedHttp(SdkAsyncHttpClient.Builder<?> http, Consumer<SdkAsyncHttpClient> counter)
    implements SdkAsyncHttpClient.Builder<CountedHttp> {
  @Override
  public SdkAsyncHttpClient buildWithDefaults(AttributeMap defaults) {
    SdkAsyncHttpClient client = http.buildWithDefaults(defaults);
    counter.accept(client);
    return new CancellableHttp(client);
  }
}
