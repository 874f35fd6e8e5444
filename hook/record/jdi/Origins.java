package clausefit.record;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.Field;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Which file a class was loaded from: the first on the path of its class loader that has it, as far as the loader has
 * opened it; else the one in the workspace that is equal to what was loaded.
 */
final class Origins {
    private static final Set<String> PASSED_OVER = Set.of("node_modules", ".git", ".clausefit");
    private static final int MOST_BYTES = 16 * 1024 * 1024;
    private static final int MOST_LOADERS = 20_000;
    private static final Origin UNKNOWN = new Origin("", "");

    /** The class file or the jar, and the digest of the class file; both are empty where that is not known. */
    record Origin(String path, String digest) {}

    private record Found(String path, byte[] content) {}

    private final VirtualMachine vm;
    private final Plan plan;
    private final Map<ReferenceType, Origin> known = new HashMap<>();
    private Map<String, List<Path>> classFiles;

    Origins(VirtualMachine vm, Plan plan) {
        this.vm = vm;
        this.plan = plan;
    }

    Origin of(ReferenceType type) {
        return known.computeIfAbsent(type, this::find);
    }

    private Origin find(ReferenceType type) {
        try {
            boolean isInModule = vm.canGetModuleInfo() && type.module() != null && type.module().name() != null;
            Found found = isInModule || type.classLoader() == null ? null : onPath(type);
            found = found == null ? equalFile(type) : found;
            return found == null ? UNKNOWN : new Origin(found.path(), digest(found.content()));
        } catch (IOException | IllegalArgumentException unreadable) {
            // A place that cannot be read is none that is known.
            return UNKNOWN;
        }
    }

    // ---- on the path of the loader (java.net.URLClassLoader and the JDK's own: the field ucp)

    private static Found onPath(ReferenceType type) throws IOException {
        String entry = type.name().replace('.', '/') + ".class";
        Value path = field(type.classLoader(), "ucp");
        Value loaders = path instanceof ObjectReference one ? field(one, "loaders") : null;
        if (!(loaders instanceof ObjectReference list) || !(field(list, "elementData") instanceof ArrayReference array)
                || !(field(list, "size") instanceof IntegerValue size) || size.value() > MOST_LOADERS) {
            return null;
        }
        for (Value loader : size.value() == 0 ? List.<Value>of() : array.getValues(0, size.value())) {
            URI base = loader instanceof ObjectReference one ? base(one) : null;
            if (base == null) {
                return null;
            }
            Found found = in(base, entry);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static URI base(ObjectReference loader) {
        if (field(loader, "base") instanceof ObjectReference url && field(url, "file") instanceof StringReference file
                && field(url, "protocol") instanceof StringReference protocol) {
            String text = protocol.value() + ":" + file.value();
            return URI.create(text.replace(" ", "%20"));
        }
        return null;
    }

    private static Found in(URI base, String entry) throws IOException {
        String text = base.toString();
        if (text.startsWith("jar:") && text.endsWith("!/")) {
            URI jar = URI.create(text.substring("jar:".length(), text.length() - "!/".length()));
            return isFile(jar) ? inJar(new File(jar.getPath()), entry) : null;
        }
        if (!isFile(base)) {
            return null;
        }
        Path file = Path.of(base.getPath());
        if (!text.endsWith("/")) {
            return inJar(file.toFile(), entry);
        }
        Path inside = file.resolve(entry);
        return Files.isRegularFile(inside) && Files.size(inside) <= MOST_BYTES
                ? new Found(inside.toString(), Files.readAllBytes(inside))
                : null;
    }

    private static boolean isFile(URI place) {
        if (!"file".equals(place.getScheme()) || place.getPath() == null) {
            throw new IllegalArgumentException("a place elsewhere: " + place);
        }
        return true;
    }

    private static Found inJar(File file, String entry) throws IOException {
        try (JarFile jar = new JarFile(file, false, ZipFile.OPEN_READ, Runtime.version())) {
            ZipEntry found = jar.getJarEntry(entry);
            if (found == null) {
                return null;
            }
            try (InputStream in = jar.getInputStream(found)) {
                return new Found(file.getPath(), in.readNBytes(MOST_BYTES));
            }
        }
    }

    private static Value field(ObjectReference object, String name) {
        for (Field one : object.referenceType().allFields()) {
            if (one.name().equals(name) && !one.isStatic()) {
                return object.getValue(one);
            }
        }
        return null;
    }

    // ---- in the workspace

    private Found equalFile(ReferenceType type) throws IOException {
        if (plan.workspace == null || !vm.canGetConstantPool() || !vm.canGetBytecodes()) {
            return null;
        }
        if (classFiles == null) {
            classFiles = classFiles(plan.workspace);
        }
        String name = type.name().substring(type.name().lastIndexOf('.') + 1) + ".class";
        for (Path file : classFiles.getOrDefault(name, List.of())) {
            byte[] content = Files.size(file) <= MOST_BYTES ? Files.readAllBytes(file) : new byte[0];
            if (ClassFile.isLoadedAs(content, type)) {
                return new Found(file.toString(), content);
            }
        }
        return null;
    }

    /** The class files of a folder by their names. */
    private static Map<String, List<Path>> classFiles(Path folder) throws IOException {
        Map<String, List<Path>> found = new HashMap<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
                boolean isPassedOver = PASSED_OVER.contains(String.valueOf(inner.getFileName()));
                return isPassedOver ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && attributes.isRegularFile()) {
                    found.computeIfAbsent(name, one -> new ArrayList<>()).add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) {
                // What cannot be read is compared with nothing.
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            // Every Java has SHA-256 (see MessageDigest).
            throw new IllegalStateException(impossible);
        }
    }
}
