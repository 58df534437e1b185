package dev.zarrreactive.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API of a module equals its description in {@code docs/api}: a change of the API is a
 * change of that file, which a reader of the commit sees. {@code -Dzarr.api.write=true} writes it.
 *
 * <p>Types and members that an application can name are described: of the packages that the module
 * exports, or of all where it is no named module. Nullness and the texts of javadoc are not.
 */
public abstract class PublicApiContract {
  private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

  @Test
  void the_public_api_is_the_one_that_is_described() throws Exception {
    Path module = Path.of("").toAbsolutePath();
    Path file = descriptions(module).resolve(module.getFileName() + ".txt");
    List<String> lines = describe(Path.of("target/classes").toAbsolutePath());
    if (Boolean.getBoolean("zarr.api.write")) {
      Files.createDirectories(file.getParent());
      Files.write(file, lines);
    }
    assertThat(lines).as("run again with -Dzarr.api.write=true if you mean it").isNotEmpty();
    List<String> described = Files.exists(file) ? Files.readAllLines(file) : List.of();
    assertThat(String.join("\n", differences(described, lines)))
        .as("changes of " + file.getFileName() + "; -Dzarr.api.write=true makes them")
        .isEmpty();
  }

  /** Returns the directory of the descriptions, which stands at the root of the project. */
  private static Path descriptions(Path module) {
    for (Path root = module; root != null; root = root.getParent()) {
      if (Files.isDirectory(root.resolve("docs/api"))) {
        return root.resolve("docs/api");
      }
    }
    throw new AssertionError("no docs/api above " + module);
  }

  /** The lines that only one of two descriptions has, each with the type that it belongs to. */
  private static List<String> differences(List<String> before, List<String> now) {
    Set<String> old = located(before);
    Set<String> current = located(now);
    List<String> differences = new ArrayList<>();
    old.stream()
        .filter(line -> !current.contains(line))
        .map("- "::concat)
        .forEach(differences::add);
    current.stream()
        .filter(line -> !old.contains(line))
        .map("+ "::concat)
        .forEach(differences::add);
    return differences;
  }

  private static Set<String> located(List<String> lines) {
    Set<String> located = new TreeSet<>();
    String type = "";
    for (String line : lines) {
      if (!line.startsWith(" ")) {
        type = line.replaceFirst(" (extends|implements|permits) .*", "");
        located.add(line);
      } else {
        located.add(type + ":" + line);
      }
    }
    return located;
  }

  private static List<String> describe(Path classes) throws Exception {
    Path descriptor = classes.resolve("module-info.class");
    Set<String> exported = null;
    if (Files.exists(descriptor)) {
      try (InputStream in = Files.newInputStream(descriptor)) {
        exported =
            ModuleDescriptor.read(in).exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String name : names(classes)) {
      Class<?> type = Class.forName(name, false, PublicApiContract.class.getClassLoader());
      if (isVisible(type) && (exported == null || exported.contains(type.getPackageName()))) {
        lines.add(header(type));
        lines.addAll(members(type));
      }
    }
    return lines;
  }

  private static Set<String> names(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString().replace(File.separator, "."))
          .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static boolean isVisible(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return isVisible(type.getModifiers())
        && !type.isAnonymousClass()
        && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  /** By its name: this module knows nothing of the library. */
  private static boolean isSpi(Class<?> type) {
    return Arrays.stream(type.getAnnotations())
        .anyMatch(one -> one.annotationType().getName().equals("dev.zarrreactive.spi.Spi"));
  }

  private static String header(Class<?> type) {
    String kind =
        type.isInterface()
            ? "interface"
            : type.isRecord() ? "record" : type.isEnum() ? "enum" : "class";
    int modifiers = type.getModifiers();
    StringBuilder header = new StringBuilder(isSpi(type) ? "@Spi " : "");
    if (kind.equals("class")) {
      header.append(Modifier.isAbstract(modifiers) ? "abstract " : "");
      header.append(Modifier.isFinal(modifiers) ? "final " : "");
    }
    header.append(type.isSealed() ? "sealed " : "").append(kind).append(' ').append(type.getName());
    header.append(parameters(type.getTypeParameters()));
    List<Type> parents = new ArrayList<>();
    if (kind.equals("class") && type.getSuperclass() != Object.class) {
      parents.add(type.getGenericSuperclass());
    }
    parents.addAll(Arrays.asList(type.getGenericInterfaces()));
    if (!parents.isEmpty()) {
      header.append(" extends ").append(types(parents.toArray(Type[]::new)));
    }
    return header.toString();
  }

  private static Set<String> members(Class<?> type) {
    Set<String> members = new TreeSet<>();
    boolean isFinal = Modifier.isFinal(type.getModifiers()) || type.isSealed();
    Class<?> owner = type;
    do { // what a superclass that is not public has seems to be of the type itself
      for (Field field : owner.getDeclaredFields()) {
        if (isMember(field, isFinal)) {
          members.add(
              "  " + field.getName() + ": " + modifiers(field) + name(field.getGenericType()));
        }
      }
      for (Method method : owner.getDeclaredMethods()) {
        if (isMember(method, isFinal) && !OF_EVERY_OBJECT.contains(method.getName())) {
          String result = modifiers(method) + name(method.getGenericReturnType());
          members.add("  " + method.getName() + rest(method) + ": " + result);
        }
      }
      owner = owner.getSuperclass();
    } while (owner != null && !isVisible(owner.getModifiers()));
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isMember(constructor, isFinal)) {
        members.add(("  new" + rest(constructor) + " " + modifiers(constructor)).stripTrailing());
      }
    }
    return members;
  }

  private static boolean isMember(Member member, boolean ofFinalType) {
    return !member.isSynthetic()
        && (Modifier.isPublic(member.getModifiers())
            || (Modifier.isProtected(member.getModifiers()) && !ofFinalType));
  }

  private static String modifiers(Member member) {
    int modifiers = member.getModifiers();
    StringBuilder text = new StringBuilder();
    text.append(Modifier.isProtected(modifiers) ? "protected " : "");
    text.append(Modifier.isStatic(modifiers) ? "static " : "");
    text.append(Modifier.isAbstract(modifiers) ? "abstract " : "");
    return text.toString();
  }

  private static String rest(Executable executable) {
    Type[] errors = executable.getGenericExceptionTypes();
    String arguments = types(executable.getGenericParameterTypes());
    return parameters(executable.getTypeParameters())
        + "("
        + (executable.isVarArgs() ? arguments.replaceFirst("\\[]$", "...") : arguments)
        + ")"
        + (errors.length == 0 ? "" : " throws " + types(errors));
  }

  private static String parameters(TypeVariable<?>... variables) {
    return variables.length == 0
        ? ""
        : Arrays.stream(variables)
            .map(
                variable ->
                    variable.getBounds()[0] == Object.class
                        ? variable.getName()
                        : variable.getName() + " extends " + types(variable.getBounds()))
            .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String types(Type... types) {
    return Arrays.stream(types).map(PublicApiContract::name).collect(Collectors.joining(", "));
  }

  /** The name of a type; names of this project occur once, and need no package. */
  private static String name(Type type) {
    return type.getTypeName()
        .replaceAll("\\b(java\\.lang|java\\.util|reactor\\.core\\.publisher)\\.(?=[A-Z])", "")
        .replaceAll("\\bdev\\.zarrreactive\\.([a-z0-9]+\\.)*(?=[A-Z])", "");
  }
}
