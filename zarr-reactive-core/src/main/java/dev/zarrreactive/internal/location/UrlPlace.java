package dev.zarrreactive.internal.location;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreAdapter.Place;
import dev.zarrreactive.store.StoreAdapter.StoredFile;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import reactor.core.publisher.Mono;

/** The place that a URL, or a path of this system, leads to: as a directory or as a file. */
final class UrlPlace implements Place {
  private final URI uri;
  private final StoreOptions options;

  UrlPlace(URI uri, StoreOptions options) {
    this.uri = uri;
    this.options = options;
  }

  @Override
  public Mono<Store> directory() {
    return Stores.open(uri.toString(), options);
  }

  @Override
  public Mono<StoredFile> file() {
    return Mono.defer(
        () -> {
          String name = Pipeline.name(uri);
          if (name.isEmpty()) {
            throw new IllegalArgumentException(this + " names no file");
          }
          return Stores.open(above(), options)
              .map(above -> new StoredFile(above, StoreKey.of(name)));
        });
  }

  /** Returns the URL of the directory that the file is in, with the query of the whole. */
  private String above() {
    String path = uri.getRawPath();
    String text = uri.toString();
    int at = text.lastIndexOf(path, uri.getRawQuery() == null ? text.length() : text.indexOf('?'));
    return text.substring(0, at)
        + path.substring(0, path.lastIndexOf('/') + 1)
        + text.substring(at + path.length());
  }

  /** The URL without its query and user information, which may be secrets. */
  @Override
  public String toString() {
    if ("file".equals(uri.getScheme())) {
      return uri.getPath();
    }
    String host = uri.getRawAuthority() == null ? "" : "//" + uri.getRawAuthority();
    String path = uri.isOpaque() ? uri.getRawSchemeSpecificPart() : uri.getRawPath();
    return uri.getScheme() + ":" + host.replaceFirst("//.*@", "//") + path;
  }
}
