package dev.zarrreactive.azure;

import dev.zarrreactive.store.credential.Credential;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Shared access signatures of a service, as tools of Azure make them. */
final class Signatures {
  private static final String VERSION = "2021-12-02";

  private Signatures() {}

  /**
   * Signs for a container of the emulator.
   *
   * @param permissions such as {@code rl}, to read and to list
   */
  static String ofContainer(String container, String permissions, Instant expiry) {
    String end = expiry.truncatedTo(ChronoUnit.SECONDS).toString();
    String text =
        String.join(
            "\n",
            permissions,
            "",
            end,
            "/blob/" + ConnectionString.EMULATED + "/" + container,
            "",
            "",
            "",
            VERSION,
            "c",
            "",
            "",
            "",
            "",
            "",
            "",
            "");
    String signature =
        new SharedKey(
                new Credential.AccountKey(ConnectionString.EMULATED, ConnectionString.EMULATED_KEY))
            .sign(text);
    return "sv="
        + VERSION
        + "&sr=c&sp="
        + permissions
        + "&se="
        + AzureService.encoded(end)
        + "&sig="
        + AzureService.encoded(signature);
  }
}
