package dev.zarrreactive.icechunk;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.icechunk.Base32;
import java.time.Instant;
import java.util.Collection;
import java.util.stream.Collectors;

/** The errors of versions that a repository does not have. */
final class Missing {
  private static final int MOST_NAMES = 20;

  private Missing() {}

  static StoreException repository(RepositoryFiles files) {
    return new StoreException(
        "there is no Icechunk repository in "
            + files.store()
            + ": neither "
            + RefsInRepo.KEY
            + " nor "
            + RefsInKeys.MAIN,
        Location.UNKNOWN);
  }

  static StoreException branch(RepositoryFiles files, String name, Collection<String> known) {
    return none(files, "branch \"" + name + "\"; it has the branches " + some(known));
  }

  static StoreException tag(
      RepositoryFiles files, String name, boolean isDeleted, Collection<String> known) {
    return none(
        files,
        "tag \""
            + name
            + "\""
            + (isDeleted ? ", which was deleted" : "")
            + "; it has the tags "
            + some(known));
  }

  static StoreException before(
      RepositoryFiles files, String branch, Instant time, Instant earliest) {
    return none(
        files,
        "snapshot of branch \""
            + branch
            + "\" at "
            + time
            + " or before it; the earliest one is of "
            + earliest);
  }

  static StoreException unknownSnapshot(RepositoryFiles files, String id) {
    return none(files, "snapshot " + id + " in its history; it may have expired");
  }

  private static StoreException none(RepositoryFiles files, String what) {
    return new StoreException(
        "the Icechunk repository in " + files.store() + " has no " + what, Location.UNKNOWN);
  }

  /** Returns an id that can be one; an error for other text. */
  static String checkedId(String id) {
    if (!Base32.isObjectId(id)) {
      throw new StoreException(
          "\""
              + id
              + "\" is not the id of a snapshot: that has 20 characters, digits and upper case"
              + " letters except I, L, O and U",
          Location.UNKNOWN);
    }
    return id;
  }

  private static String some(Collection<String> names) {
    String shown =
        names.stream()
            .limit(MOST_NAMES)
            .map(name -> '"' + name + '"')
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "(none)" : names.size() > MOST_NAMES ? shown + ", …" : shown;
  }
}
