package dev.zarrreactive.credentials;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The container of Azure that a URL leads to.
 *
 * @param account null where the URL does not name it
 * @param container null where the URL does not name it
 */
record AzureContainer(@Nullable String account, @Nullable String container) {
  /**
   * Returns the container of {@code https://ACCOUNT.blob.core.windows.net/CONTAINER/...}, {@code
   * abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/...} and {@code az://CONTAINER/...}.
   */
  static AzureContainer of(URI url) {
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
    int at = authority.lastIndexOf('@');
    String host = authority.substring(at + 1).toLowerCase(Locale.ROOT);
    int dot = host.indexOf('.');
    String account = host.contains(".core.") && dot > 0 ? host.substring(0, dot) : null;
    if (scheme.startsWith("http")) {
      String path = url.getRawPath() == null ? "" : url.getRawPath();
      String[] segments = path.split("/", 3);
      boolean isNamed = account != null && segments.length > 1 && !segments[1].isEmpty();
      return new AzureContainer(account, isNamed ? segments[1] : null);
    }
    return at > 0
        ? new AzureContainer(account, authority.substring(0, at))
        : new AzureContainer(account, account == null && !host.isEmpty() ? host : null);
  }

  /** Returns true for a name of Azure, which is one segment of a URL as it is. */
  static boolean isName(String text) {
    return text.matches("[$a-z0-9][a-z0-9-]{0,62}");
  }
}
