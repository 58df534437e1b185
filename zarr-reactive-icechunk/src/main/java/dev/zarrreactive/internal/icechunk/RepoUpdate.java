package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry in the log of the changes of a repository.
 *
 * @param fields what the kind has, in the order of the schema: a text is a {@code String}, an id an
 *     {@code Id}, a number an {@code Integer}, a status a {@code RepoState.Status}; null where it
 *     is not set
 * @param micros when it was made, in microseconds since 1970
 * @param backup the name of the copy of the info that this entry stood in first; null for the
 *     newest entry
 */
record RepoUpdate(Kind kind, List<@Nullable Object> fields, long micros, @Nullable String backup) {

  /** The id of a snapshot. */
  record Id(String text) {}

  /**
   * The kinds of changes, in the order of their numbers from 1; each with the types of its fields.
   */
  enum Kind {
    REPO_INITIALIZED(""),
    REPO_MIGRATED("bb"),
    CONFIG_CHANGED(""),
    METADATA_CHANGED(""),
    TAG_CREATED("s"),
    TAG_DELETED("si"),
    BRANCH_CREATED("s"),
    BRANCH_DELETED("si"),
    BRANCH_RESET("si"),
    NEW_COMMIT("si"),
    COMMIT_AMENDED("sii"),
    NEW_DETACHED_SNAPSHOT("i"),
    GC_RAN(""),
    EXPIRATION_RAN(""),
    FEATURE_FLAG_CHANGED("hbb"),
    STATUS_CHANGED("t");

    private final String types;

    Kind(String types) {
      this.types = types;
    }
  }

  /** The same entry, after another one has been made. */
  RepoUpdate with(String copy) {
    return new RepoUpdate(kind, fields, micros, copy);
  }

  /** Reads an entry. */
  static RepoUpdate read(FlatBuffer buffer, int update) {
    int number = buffer.u8(update, 0, 0);
    if (number < 1 || number > Kind.values().length) {
      throw new UnsupportedFeatureException(
          "the log of the repository has a change of the unknown kind "
              + number
              + ", which a later version of Icechunk has made; a commit would lose it, and is"
              + " refused",
          Location.ofKey(RepoFile.KEY));
    }
    Kind kind = Kind.values()[number - 1];
    int table = buffer.table(update, 1, "table of a change");
    List<@Nullable Object> fields = new ArrayList<>();
    for (int slot = 0; slot < kind.types.length(); slot++) {
      fields.add(field(buffer, table, slot, kind.types.charAt(slot)));
    }
    return new RepoUpdate(kind, fields, buffer.u64(update, 2), buffer.string(update, 3));
  }

  private static @Nullable Object field(FlatBuffer buffer, int table, int slot, char type) {
    switch (type) {
      case 's':
        return buffer.string(table, slot);
      case 'i':
        int id = buffer.field(table, slot, 12);
        return id == FlatBuffer.ABSENT ? null : new Id(buffer.id12(id));
      case 'b':
        return buffer.u8(table, slot, 0);
      case 'h':
        int number = buffer.field(table, slot, 2);
        return number == FlatBuffer.ABSENT ? 0 : buffer.u16(number);
      default:
        int status = buffer.table(table, slot);
        return status == FlatBuffer.ABSENT ? null : RepoState.Status.read(buffer, status);
    }
  }

  /** Writes the entry. */
  int write(FlatBufferWriter out) {
    int[] written = new int[fields.size()];
    for (int slot = 0; slot < written.length; slot++) {
      Object field = fields.get(slot);
      if (field instanceof String text) {
        written[slot] = out.string(text);
      } else if (field instanceof RepoState.Status status) {
        written[slot] = status.write(out);
      }
    }
    String copy = backup;
    int name = copy == null ? FlatBufferWriter.ABSENT : out.string(copy);
    out.startTable(written.length);
    for (int slot = 0; slot < written.length; slot++) {
      out.offset(slot, written[slot]);
      Object field = fields.get(slot);
      if (field instanceof Id id) {
        out.id12(slot, id.text());
      } else if (field instanceof Integer number) {
        if (kind.types.charAt(slot) == 'h') {
          out.u16(slot, number);
        } else {
          out.u8(slot, number);
        }
      }
    }
    int table = out.endTable();
    out.startTable(4);
    out.u64(2, micros);
    out.offset(1, table);
    out.offset(3, name);
    out.u8(0, kind.ordinal() + 1);
    return out.endTable();
  }
}
