package dev.zarrreactive.azure;

import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.ExpiringCredential;
import dev.zarrreactive.testing.Waiting;
import java.net.URI;
import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;

/** Looks up a token; loaded by {@link AzureIdentityTest} where the library of Azure is not. */
public final class IdentityUser implements Callable<String> {
  @Override
  public String call() {
    return new AzureSourceProvider()
        .source("azure", URI.create("az://container/a"), StoreOptions.none())
        .credential()
        .map(ExpiringCredential::toString)
        .onErrorResume(e -> Mono.just(e.toString()))
        .block(Waiting.PATIENCE);
  }
}
