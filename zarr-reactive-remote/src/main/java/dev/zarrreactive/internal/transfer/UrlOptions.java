package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.internal.credential.NamedSources;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.TlsMaterial;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The options of a store over a network that is opened by its URL. A {@link
 * dev.zarrreactive.store.StoreProvider} makes the table of their names once, and opens its stores
 * by it: with retries, unless the option {@code retry} is {@code false}.
 *
 * @param <B> the builder of the store
 */
public final class UrlOptions<B> {
  private static final String RETRY = "retry";

  private final String store;
  private final Map<String, Setter<B>> setters = new LinkedHashMap<>();

  /** The names in {@link #setters} of options that begin with a prefix, by the prefix. */
  private final Map<String, String> prefixes = new LinkedHashMap<>();

  private @Nullable BiConsumer<B, CredentialSource> credentials;
  private BiConsumer<B, TlsMaterial> tls = (builder, material) -> {};

  private interface Setter<B> {
    void set(B builder, StoreOptions options, String name);
  }

  /**
   * A table without options.
   *
   * @param store the store in words, such as {@code a store over HTTP}
   */
  public UrlOptions(String store) {
    this.store = store;
  }

  /** Adds an option of any text. */
  public UrlOptions<B> text(String name, BiConsumer<B, String> set) {
    return parsed(name, StoreOptions::text, set);
  }

  /** Adds an option that is {@code true} or {@code false}. */
  public UrlOptions<B> flag(String name, BiConsumer<B, Boolean> set) {
    return parsed(name, StoreOptions::isTrue, set);
  }

  /** Adds an option that is set where it is {@code true}. */
  public UrlOptions<B> when(String name, Consumer<B> set) {
    return flag(
        name,
        (builder, isTrue) -> {
          if (isTrue) {
            set.accept(builder);
          }
        });
  }

  /** Adds an option that is a whole number. */
  public UrlOptions<B> number(String name, BiConsumer<B, Integer> set) {
    return parsed(name, StoreOptions::number, set);
  }

  /** Adds an option that is a duration, such as {@code PT30S}. */
  public UrlOptions<B> duration(String name, BiConsumer<B, Duration> set) {
    return parsed(name, StoreOptions::duration, set);
  }

  private <T> UrlOptions<B> parsed(
      String name, BiFunction<StoreOptions, String, T> parse, BiConsumer<B, T> set) {
    setters.put(
        name, (builder, options, given) -> set.accept(builder, parse.apply(options, given)));
    return this;
  }

  /**
   * Adds all options whose names are longer than their prefix.
   *
   * @param prefix such as {@code header.}
   * @param rest the rest of the name in messages, such as {@code NAME}
   * @param set takes the rest of the name and the value
   */
  public UrlOptions<B> texts(String prefix, String rest, NamedSetter<B> set) {
    setters.put(
        prefix + rest,
        (builder, options, given) ->
            set.accept(builder, given.substring(prefix.length()), options.text(given)));
    prefixes.put(prefix, prefix + rest);
    return this;
  }

  /** Adds the option that names a source of credentials, and the settings of that source. */
  public UrlOptions<B> credentials(BiConsumer<B, CredentialSource> set) {
    this.credentials = set;
    return this;
  }

  /** Adds the certificates, which are a part of the options and no text. */
  public UrlOptions<B> tls(BiConsumer<B, TlsMaterial> set) {
    this.tls = set;
    return this;
  }

  /** Sets one of several options with a common prefix. */
  public interface NamedSetter<B> {
    /** Sets the option. */
    void accept(B builder, String name, String value);
  }

  /**
   * Opens a store for each subscription. An unknown or wrong option is an {@link
   * IllegalArgumentException}, through {@code onError}; its message shows no secret.
   *
   * @param begun returns a builder for the URL
   * @param stack returns the store of the builder, which has all options
   */
  public Mono<Store> open(
      URI uri, StoreOptions options, Function<URI, B> begun, Function<B, Stores.Stack> stack) {
    return NamedSources.of(uri, options)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .map(
            source -> {
              B builder = begun.apply(uri);
              source.ifPresent(named -> credentials(builder, named));
              return opened(builder, options, stack);
            });
  }

  private void credentials(B builder, CredentialSource source) {
    BiConsumer<B, CredentialSource> set = credentials;
    if (set == null) {
      throw unknown(NamedSources.OPTION);
    }
    set.accept(builder, source);
  }

  private Store opened(B builder, StoreOptions options, Function<B, Stores.Stack> stack) {
    boolean isRetried = true;
    for (String name : options.names()) {
      if (name.equals(RETRY)) {
        isRetried = options.isTrue(name);
      } else if (!NamedSources.isOption(name)) {
        setter(name).set(builder, options, name);
      }
    }
    TlsMaterial material = options.part(TlsMaterial.class);
    if (material != null) {
      tls.accept(builder, material);
    }
    Stores.Stack opened = stack.apply(builder);
    return (isRetried ? opened.retry(RetryOptions.defaults()) : opened).build();
  }

  private Setter<B> setter(String name) {
    String known = name;
    for (Map.Entry<String, String> prefix : prefixes.entrySet()) {
      if (name.startsWith(prefix.getKey()) && name.length() > prefix.getKey().length()) {
        known = prefix.getValue();
      }
    }
    Setter<B> setter = setters.get(known);
    if (setter == null) {
      throw unknown(name);
    }
    return setter;
  }

  private IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        "not an option of "
            + store
            + ": "
            + name
            + "; the options are "
            + String.join(", ", setters.keySet())
            + (credentials == null ? "" : ", " + NamedSources.OPTION)
            + " and "
            + RETRY);
  }
}
