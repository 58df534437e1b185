package dev.zarrreactive.icechunk;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a repository allows its users. A repository that is offline is refused when it is opened.
 *
 * @param isReadOnly true where no commit is allowed
 * @param since when this was decided; null in a repository of version 1, which has no status
 * @param reason in the words of who has decided it; null where there is none
 * @param disabledFeatures the names of the changes that are not allowed, such as {@code move_node};
 *     {@code feature 17} for one that this version does not know
 */
public record IcechunkStatus(
    boolean isReadOnly,
    @Nullable Instant since,
    @Nullable String reason,
    Set<String> disabledFeatures) {
  /** A status. */
  public IcechunkStatus {
    disabledFeatures = Set.copyOf(disabledFeatures);
  }
}
