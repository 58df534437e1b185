package dev.zarrreactive.azure;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.objects.ObjectListing;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectPage;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Requests the pages of a listing. */
final class BlobListing implements ObjectListing.Pages {
  private final AzureRequests requests;
  private final AzureSettings settings;

  BlobListing(AzureRequests requests, AzureSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  @Override
  public Mono<ObjectPage> page(
      StorePrefix prefix, @Nullable String delimiter, @Nullable String token) {
    return list(prefix, delimiter == null ? "" : "&delimiter=%2F", token).map(BlobPage::objects);
  }

  /** Requests a page of all blobs, and of those that have only blocks that no list names. */
  Mono<BlobPage> pageWithUncommitted(@Nullable String token) {
    return list(StorePrefix.ROOT, "&include=uncommittedblobs", token);
  }

  private Mono<BlobPage> list(StorePrefix prefix, String more, @Nullable String token) {
    String objects = settings.names().objects(prefix);
    String query =
        "restype=container&comp=list"
            + (objects.isEmpty() ? "" : "&prefix=" + AzureSettings.encoded(objects))
            + more
            + (token == null ? "" : "&marker=" + AzureSettings.encoded(token));
    return requests
        .read(AzureRequest.list(settings, prefix, query))
        .map(body -> parsed(body, prefix))
        .onErrorMap(e -> requests.error(e, ObjectNames.at(prefix), settings.names().url(prefix)));
  }

  private BlobPage parsed(byte[] body, StorePrefix prefix) {
    try {
      return BlobPage.parse(body);
    } catch (XMLStreamException e) {
      throw new StoreException(
          "a page of the listing of "
              + settings.names().url(prefix)
              + " is no listing in XML: "
              + e.getMessage(),
          ObjectNames.at(prefix),
          e);
    }
  }
}
