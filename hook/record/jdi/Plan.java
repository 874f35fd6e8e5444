package clausefit.record;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the file from java_recorder.py says: limits, watched methods, source files of the project. Lines of tab-separated words. */
final class Plan {
    final Limits limits;
    /** Null where it is not known. */
    final Path workspace;
    final List<Watch> watches = new ArrayList<>();
    private final Map<String, List<String>> foldersOf = new HashMap<>();
    private final Map<String, Boolean> packages = new ConcurrentHashMap<>();

    Plan(Path file) throws IOException {
        Map<String, String> numbers = new HashMap<>();
        Path folder = null;
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            String[] words = line.split("\t", -1);
            switch (words[0]) {
                case "limit" -> numbers.put(words[1], words[2]);
                case "method" -> watches.add(watch(words));
                case "workspace" -> folder = Path.of(words[1]);
                case "source" -> addSource(words[1]);
                default -> throw new IOException("the plan has a line that is not known: " + words[0]);
            }
        }
        workspace = folder;
        limits = new Limits(
                Integer.parseInt(numbers.get("distinct_calls")),
                Integer.parseInt(numbers.get("hits")),
                Integer.parseInt(numbers.get("depth")),
                Integer.parseInt(numbers.get("elements")),
                Integer.parseInt(numbers.get("text")),
                Double.parseDouble(numbers.get("slowdown")),
                Double.parseDouble(numbers.get("call_seconds")));
    }

    private Watch watch(String[] words) {
        int hidden = Integer.parseInt(words[5]);
        return new Watch(watches.size(), words[1], words[2], Watch.words(words[3]), statics(words[4]), hidden,
                statics(words[6]));
    }

    private static List<Watch.StaticField> statics(String text) {
        List<Watch.StaticField> found = new ArrayList<>();
        for (String one : Watch.words(text)) {
            int at = one.lastIndexOf('#');
            found.add(new Watch.StaticField(one.substring(0, at), one.substring(at + 1)));
        }
        return found;
    }

    private void addSource(String path) {
        int at = path.lastIndexOf('/');
        String folder = "/" + path.substring(0, at + 1);
        foldersOf.computeIfAbsent(path.substring(at + 1), name -> new ArrayList<>()).add(folder);
    }

    /** Whether sources may be in packages that begin like this. */
    boolean hasFolderOf(String packages) {
        String part = "/" + packages.replace('.', '/') + "/";
        return foldersOf.values().stream().anyMatch(folders -> folders.stream().anyMatch(one -> one.contains(part)));
    }

    /** Whether the package of a class is one of the workspace's. */
    boolean hasPackageOf(String binaryName) {
        String end = folderOf(binaryName);
        return packages.computeIfAbsent(end, one -> foldersOf.values().stream()
                .anyMatch(folders -> folders.stream().anyMatch(folder -> folder.endsWith(one))));
    }

    /** Whether a class was compiled from a file of the workspace, going by its package and the name of its file. */
    boolean isOfProject(String binaryName, String sourceName) {
        String end = folderOf(binaryName);
        return foldersOf.getOrDefault(sourceName, List.of()).stream().anyMatch(folder -> folder.endsWith(end));
    }

    private static String folderOf(String binaryName) {
        int at = binaryName.lastIndexOf('.');
        return at < 0 ? "/" : "/" + binaryName.substring(0, at).replace('.', '/') + "/";
    }
}
