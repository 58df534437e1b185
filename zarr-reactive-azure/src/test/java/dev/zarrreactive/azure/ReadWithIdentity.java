package dev.zarrreactive.azure;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import reactor.core.publisher.Mono;

/**
 * A process that reads one value again and again from a container, with the options that its
 * arguments are, each time it is told to. It prints the value, or the error.
 */
final class ReadWithIdentity {
  private ReadWithIdentity() {}

  public static void main(String... arguments) throws Exception {
    StoreOptions options = StoreOptions.none().with("account", "account").with("retry", "false");
    for (int i = 0; i < arguments.length; i += 2) {
      options = options.with(arguments[i], arguments[i + 1]);
    }
    Store store = Stores.open("az://container", options).block();
    do {
      System.out.println(
          store
              .get(StoreKey.of("a"))
              .map(value -> "read " + value.size() + " bytes")
              .onErrorResume(e -> Mono.just(e.getClass().getSimpleName() + ": " + e.getMessage()))
              .block());
    } while (System.in.read() >= 0);
  }
}
