package dev.zarrreactive.s3;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.StoreStack;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Opens {@code s3://bucket/prefix} with retries and an adaptive limit, of at most as many
 * operations as connections. The options, which are text, are {@code endpoint} (a URL), {@code
 * region}, {@code profile}, {@code anonymous}, {@code path-style}, {@code requester-pays}, {@code
 * conditional-multipart}, {@code unsigned-payload}, {@code unquoted-etags}, {@code
 * forbidden-is-missing} and {@code retry} ({@code true} or {@code false}), {@code checksums}
 * ({@code when-required} or {@code when-supported}), {@code connections} and {@code resumes}
 * (numbers), {@code connect-timeout} and {@code stall-timeout} (such as {@code PT30S}). {@link
 * S3StoreBuilder} explains them. Credentials are not among them. The class is public for {@link
 * java.util.ServiceLoader} only.
 */
public final class S3StoreProvider implements StoreProvider {
  /** Called by {@link java.util.ServiceLoader}. */
  public S3StoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("s3");
  }

  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return Mono.fromSupplier(
        () -> {
          S3StoreBuilder builder = at(uri);
          boolean retry = true;
          for (String name : options.names()) {
            if (name.equals("retry")) {
              retry = options.isTrue(name);
            } else {
              set(builder, name, options);
            }
          }
          StoreStack stack = builder.shared(options);
          return (retry ? stack.retry(RetryOptions.defaults()) : stack).build();
        });
  }

  /** Parses a URL. Errors show no forbidden part of it: that may be a secret. */
  private static S3StoreBuilder at(URI uri) {
    String bucket = uri.getRawAuthority();
    if (bucket == null || bucket.contains("@") || bucket.contains(":")) {
      throw new IllegalArgumentException(
          "a URL of S3 is s3://BUCKET/PREFIX: no user, password or port. Credentials come from the"
              + " environment or a profile, the server is the option endpoint");
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "a URL of S3 is s3://BUCKET/PREFIX, without ? and #; written as %3F and %23 they are part"
              + " of the prefix");
    }
    String path = uri.getPath();
    return S3Store.at(bucket).prefix(path == null ? "" : path);
  }

  private static void set(S3StoreBuilder builder, String name, StoreOptions options) {
    switch (name) {
      case "endpoint" -> builder.endpoint(Stores.uri(options.text(name)));
      case "region" -> builder.region(options.text(name));
      case "profile" -> builder.profile(options.text(name));
      case "anonymous" -> {
        if (options.isTrue(name)) {
          builder.anonymous();
        }
      }
      case "path-style" -> builder.pathStyle(options.isTrue(name));
      case "requester-pays" -> builder.requesterPays(options.isTrue(name));
      case "checksums" -> builder.checksumsWhenSupported(checksums(options.text(name)));
      case "unsigned-payload" -> builder.unsignedPayload(options.isTrue(name));
      case "unquoted-etags" -> builder.unquotedETags(options.isTrue(name));
      case "conditional-multipart" -> builder.conditionalMultipart(options.isTrue(name));
      case "forbidden-is-missing" -> builder.forbiddenIsMissing(options.isTrue(name));
      case "connections" -> builder.connections(options.number(name));
      case "resumes" -> builder.resumes(options.number(name));
      case "connect-timeout" -> builder.connectTimeout(options.duration(name));
      case "stall-timeout" -> builder.stallTimeout(options.duration(name));
      default ->
          throw new IllegalArgumentException(
              "not an option of a store over S3: "
                  + name
                  + "; the options are endpoint, region, profile, anonymous, path-style, requester-pays,"
                  + " checksums, unsigned-payload, conditional-multipart, unquoted-etags,"
                  + " forbidden-is-missing, retry, connections, resumes, connect-timeout and"
                  + " stall-timeout");
    }
  }

  private static boolean checksums(String value) {
    return switch (value) {
      case "when-supported" -> true;
      case "when-required" -> false;
      default ->
          throw new IllegalArgumentException(
              "checksums is when-required or when-supported, not \"" + value + "\"");
    };
  }
}
