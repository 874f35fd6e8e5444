/* Preloaded into every program of a recorded run: asks gdb to watch those that hold a function with a contract.
 *
 * gdb attaches from outside (it is no parent, no child, in a session of its own), so the program keeps its process
 * number, its parent, terminal, streams, signals and exit status. Whatever goes wrong here, the program just runs.
 *
 * When its process has ended, gdb waits for the next one of the same program (gdb/waiting.py): a forked test is asked for
 * at a socket then, which costs a hundredth of a new gdb. Where none waits, as beside other tests, a new one is started.
 *
 * The environment names a folder; its file "watch" holds strings that end in NUL: gdb, the recorder's script, the
 * workspace, how much recording may add to the running time (percent), how long forked children may wait together however
 * short the run is (milliseconds), then the names of the functions.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FOLDER "CLAUSEFIT_RECORD"
#define PATIENCE_MS 60000
#define UNIT_MS 10L
#define PLACES 8 /* as in gdb/waiting.py */
#define TRIES 8
#define BETWEEN_TRIES_NS 5000000L
#define LONGEST_FILE ((off_t)2 << 30)

struct mapped {
    const char *start;
    size_t size;
};

static struct mapped watch;
static const char *gdb_path, *script, *workspace, *percent, *grace, *names;
static char folder[PATH_MAX];
static char started_in[PATH_MAX]; /* a library may be named from there (LD_LIBRARY_PATH=.) */
static char key[17]; /* of the program's file: a gdb that has read it serves all its processes */

static struct mapped map_file(const char *path) {
    struct mapped none = {NULL, 0}, found = none;
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return none;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 && status.st_size < LONGEST_FILE) {
        void *start = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (start != MAP_FAILED) {
            found.start = start;
            found.size = (size_t)status.st_size;
        }
    }
    close(file);
    return found;
}

static int below(const char *path, const char *parent) {
    size_t length = strlen(parent);
    return strncmp(path, parent, length) == 0 && (path[length] == '/' || parent[length - 1] == '/');
}

/* Programs and libraries of the system hold no function of the workspace, and are many. */
static int is_of_system(const char *path) {
    static const char *const roots[] = {"/usr/", "/bin/", "/sbin/", "/lib", "/opt/", "/snap/", "/nix/", "/gnu/"};
    if (below(path, workspace))
        return 0;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strncmp(path, roots[i], strlen(roots[i])) == 0)
            return 1;
    return path[0] != '/';
}

/* Names by their last two characters (0 for the first of a name of one), each list linked through `next`. */
struct name {
    const char *text;
    size_t length;
    uint32_t next;
};

static struct name *table;
static uint32_t *heads;

static unsigned slot_of(const char *text, size_t length) {
    return (unsigned char)text[length - 1] | (length > 1 ? (unsigned)(unsigned char)text[length - 2] << 8 : 0u);
}

static int make_table(void) {
    const char *end = watch.start + watch.size;
    uint32_t count = 0;
    for (const char *at = names; at < end; at += strlen(at) + 1)
        count++;
    table = calloc(count + 1, sizeof *table);
    heads = calloc(1 << 16, sizeof *heads);
    if (table == NULL || heads == NULL)
        return 0;
    count = 0;
    for (const char *at = names; at < end; at += strlen(at) + 1)
        if (*at) {
            struct name *one = &table[++count];
            one->text = at;
            one->length = strlen(at);
            one->next = heads[slot_of(at, one->length)];
            heads[slot_of(at, one->length)] = count;
        }
    return count > 0;
}

static int is_in(uint32_t index, const char *start, const char *nul) {
    for (; index != 0; index = table[index].next) {
        size_t length = table[index].length;
        if ((size_t)(nul - start) >= length && memcmp(nul - length, table[index].text, length) == 0)
            return 1;
    }
    return 0;
}

/* Whether one of the names ends at a NUL of the file: a symbol's name may be the tail of another's string. */
static int holds_name(const char *path) {
    struct mapped file = map_file(path);
    int found = 0;
    if (file.start == NULL)
        return 0;
    if (file.size > SELFMAG && memcmp(file.start, ELFMAG, SELFMAG) == 0) {
        const char *at = file.start + 1, *end = file.start + file.size;
        while (!found && (at = memchr(at, 0, (size_t)(end - at))) != NULL) {
            if (at[-1] != 0) {
                found = is_in(heads[slot_of(at - 1, 1)], file.start, at);
                if (!found && at - file.start > 1)
                    found = is_in(heads[slot_of(at - 2, 2)], file.start, at);
            }
            at++;
        }
    }
    munmap((void *)file.start, file.size);
    return found;
}

static int holds_watched(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    return info->dlpi_name[0] && !is_of_system(info->dlpi_name) && holds_name(info->dlpi_name);
}

static int is_traced(void) {
    char text[4096];
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    const char *line;
    if (file >= 0)
        close(file);
    if (got <= 0)
        return 1;
    text[got] = 0;
    line = strstr(text, "\nTracerPid:");
    return line == NULL || atoi(line + 11) != 0;
}

/* The program's limits are for the program. */
static void raise_limits(void) {
    static const __rlimit_resource_t limited[] = {RLIMIT_AS, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE};
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++) {
        struct rlimit limit;
        if (getrlimit(limited[i], &limit) == 0) {
            limit.rlim_cur = limit.rlim_max;
            setrlimit(limited[i], &limit);
        }
    }
}

static void leave(int status) {
    for (;;)
        syscall(SYS_exit_group, status);
}

/* In a process of its own, which nobody waits for: becomes gdb. `ready` is written to once all is set. */
static void become_gdb(pid_t program, int ready) {
    char log[PATH_MAX + 64], number[32];
    char *const arguments[] = {(char *)gdb_path, "-nx", "-nh", "-q", "-batch", "-iex", "set auto-load off",
                               "-iex", "set confirm off", "-x", (char *)script, NULL};
    sigset_t none;
    int null = open("/dev/null", O_RDWR), out;
    snprintf(log, sizeof log, "%s/log.%d", folder, (int)program);
    out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
    dup2(null, 0);
    dup2(out < 0 ? null : out, 1);
    dup2(out < 0 ? null : out, 2);
    if (ready != 3)
        dup2(ready, 3);
    fcntl(3, F_SETFD, 0);
    syscall(SYS_close_range, 4u, ~0u, 0u);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number_of = 1; number_of < NSIG; number_of++)
        signal(number_of, SIG_DFL);
    snprintf(number, sizeof number, "%d", (int)program);
    raise_limits();
    setenv("CLAUSEFIT_PROGRAM", number, 1);
    setenv("CLAUSEFIT_KEY", key, 1);
    setenv("CLAUSEFIT_START", started_in, 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    unsetenv("LD_PRELOAD");
    unsetenv("LD_LIBRARY_PATH");
    unsetenv("PYTHONPATH");
    unsetenv("PYTHONHOME");
    unsetenv("DEBUGINFOD_URLS");
    if (chdir(folder) == 0)
        execv(gdb_path, arguments);
    leave(127);
}

/* Whether gdb says that it watches now. */
static int wait_for(int ready) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        struct pollfd wanted = {ready, POLLIN, 0};
        long waited;
        char answer = 0;
        clock_gettime(CLOCK_MONOTONIC, &now);
        waited = (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
        if (waited >= PATIENCE_MS)
            return 1; /* it may still do so */
        if (poll(&wanted, 1, (int)(PATIENCE_MS - waited)) > 0)
            return read(ready, &answer, 1) == 1 && answer == '1'; /* else it is gone, or may not watch */
    }
}

static int connected_to(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int parent = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), found = -1, length;
    if (parent < 0)
        return -1;
    /* The folder's own path may be too long for an address. */
    length = snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", parent, name);
    if (length > 0 && (size_t)length < sizeof address.sun_path)
        found = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (found >= 0 && connect(found, (struct sockaddr *)&address, sizeof address) != 0) {
        close(found);
        found = -1;
    }
    close(parent);
    return found;
}

/* Whether a gdb that has watched this program before, and waits, watches now. */
static int ask_waiting(void) {
    for (int place = 0; place < PLACES; place++) {
        char idle[PATH_MAX + 64], taken[PATH_MAX + 96], *name;
        int ready, watched = 0;
        snprintf(idle, sizeof idle, "%s/idle.%s.%d", folder, key, place);
        snprintf(taken, sizeof taken, "%s/taken.%s.%d.%d", folder, key, place, (int)getpid());
        if (rename(idle, taken) != 0)
            continue; /* there is none, or another process was faster */
        name = strrchr(taken, '/') + 1;
        ready = connected_to(name);
        unlink(taken);
        if (ready >= 0) {
            watched = wait_for(ready);
            close(ready);
        }
        if (watched)
            return 1;
    }
    return 0;
}

/* Files of the run's folder that hold nothing: what one process tells the others. */
static void path_in_folder(char *path, size_t size, const char *name, const char *of) {
    snprintf(path, size, "%s/%s.%s", folder, name, of);
}

static void mark(const char *name, const char *of) {
    char path[PATH_MAX + 64];
    int file;
    path_in_folder(path, sizeof path, name, of);
    file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0)
        close(file);
}

static int is_marked(const char *name, const char *of) {
    char path[PATH_MAX + 64];
    path_in_folder(path, sizeof path, name, of);
    return access(path, F_OK) == 0;
}

/* Whether several processes of this program were watched one after the other, so that one of their gdbs may soon wait. */
static int is_any_kept(void) {
    return is_marked("kept", key);
}

static void start_gdb(void) {
    pid_t program = getpid(), helper;
    int ends[2], status;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    /* Not fork(): that would run the program's own handlers of it. */
    /* Without a signal at its end: the program may have a handler of SIGCHLD. */
    helper = (pid_t)syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
    if (helper == 0) {
        setsid();
        if (syscall(SYS_fork) == 0)
            become_gdb(program, ends[1]);
        leave(0);
    }
    close(ends[1]);
    if (helper > 0) {
        while (waitpid(helper, &status, __WALL) < 0 && errno == EINTR) {
        }
        wait_for(ends[0]);
    }
    close(ends[0]);
}

static int is_enough(void);

static void get_watched(void) {
    static const struct timespec between = {0, BETWEEN_TRIES_NS};
    sigset_t every, before;
    int watched = 0;
    if (is_enough() || is_traced())
        return;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    watched = ask_waiting();
    for (int i = 0; !watched && i < TRIES && is_any_kept(); i++) {
        nanosleep(&between, NULL);
        watched = ask_waiting();
    }
    if (!watched)
        start_gdb();
    prctl(PR_SET_PTRACER, 0, 0, 0, 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Recording has taken its share of the time: no more programs are watched. */
static int is_enough(void) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/enough", folder);
    return access(path, F_OK) == 0;
}

static int read_watch(void) {
    char path[PATH_MAX + 16];
    const char *named = getenv(FOLDER), *end;
    if (named == NULL || named[0] != '/' || strlen(named) >= sizeof folder)
        return 0;
    strcpy(folder, named);
    snprintf(path, sizeof path, "%s/watch", folder);
    watch = map_file(path);
    if (watch.start == NULL || watch.start[watch.size - 1] != 0)
        return 0;
    end = watch.start + watch.size;
    gdb_path = watch.start;
    script = gdb_path + strlen(gdb_path) + 1;
    workspace = script < end ? script + strlen(script) + 1 : end;
    percent = workspace < end ? workspace + strlen(workspace) + 1 : end;
    grace = percent < end ? percent + strlen(percent) + 1 : end;
    names = grace < end ? grace + strlen(grace) + 1 : end;
    return names < end && workspace[0] == '/' && make_table();
}

static long now_ms(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
}

/* Counts in a file that all processes of the run append to: its size is the number. */
static void count(const char *name, long number) {
    char path[PATH_MAX + 16], ones[256];
    int file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    memset(ones, '1', sizeof ones);
    while (file >= 0 && number > 0) {
        ssize_t written = write(file, ones, number < (long)sizeof ones ? (size_t)number : sizeof ones);
        if (written <= 0)
            break;
        number -= written;
    }
    if (file >= 0)
        close(file);
}

static int is_over_share(void) {
    char path[PATH_MAX + 16];
    struct stat status;
    long spent = 0, passed = 0;
    snprintf(path, sizeof path, "%s/forks", folder);
    if (stat(path, &status) == 0)
        spent = (long)status.st_size * UNIT_MS;
    snprintf(path, sizeof path, "%s/watch", folder);
    if (stat(path, &status) == 0)
        passed = now_ms(CLOCK_REALTIME) - status.st_mtim.tv_sec * 1000L - status.st_mtim.tv_nsec / 1000000L - spent;
    return spent > atol(grace) + (passed > 0 ? passed * atol(percent) / 100 : 0);
}

/* Whether a child that has just been forked starts the program anew at once, without a call of the project's before.
 * BoxFort, which is part of Criterion, does; Criterion before 2.3 did not, so the first child of a program is watched. */
static __thread int is_forked_by_boxfort __attribute__((tls_model("initial-exec")));

static void name_of_process(char *name, size_t size) {
    snprintf(name, size, "%s.%d", key, (int)getpid());
}

static int starts_anew(void) {
    char process[40];
    if (!is_forked_by_boxfort)
        return 0;
    if (is_marked("anew", key))
        return 1;
    name_of_process(process, sizeof process);
    mark("forked", process);
    return 0;
}

static void note_start(void) {
    char process[40];
    name_of_process(process, sizeof process);
    if (is_marked("forked", process))
        mark("anew", key);
}

static int is_boxfort(const void *address) {
    Dl_info found;
    const char *name;
    if (dladdr(address, &found) == 0 || found.dli_fname == NULL || !is_of_system(found.dli_fname))
        return 0;
    name = strrchr(found.dli_fname, '/');
    return name != NULL && (strncmp(name, "/libcriterion.so", 16) == 0 || strncmp(name, "/libboxfort.so", 14) == 0);
}

static int is_asking;

/* gdb lets go of a program of which it has seen enough, and does not learn how that ends. */
static void note_end(int status) {
    char path[PATH_MAX + 16], line[48];
    int before = errno, file, length;
    ssize_t written;
    if (!is_asking)
        return;
    snprintf(path, sizeof path, "%s/ends", folder);
    length = snprintf(line, sizeof line, "%d %d\n", (int)getpid(), status & 0xff);
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0) {
        written = write(file, line, (size_t)length);
        (void)written; /* on a full disk its end is not known */
        close(file);
    }
    errno = before;
}

static void on_end(int status, void *nothing) {
    (void)nothing;
    note_end(status);
}

/* Called in place of the C library's, which runs no handlers of its end. */
void _exit(int status) {
    note_end(status);
    leave(status);
    __builtin_unreachable();
}

void _Exit(int status) {
    _exit(status);
}

/* Called in place of the C library's, to see who forks. */
pid_t fork(void) {
    pid_t (*real)(void);
    pid_t child;
    *(void **)&real = dlsym(RTLD_NEXT, "fork");
    if (real == NULL) {
        errno = ENOSYS;
        return -1;
    }
    is_forked_by_boxfort = is_asking && is_boxfort(__builtin_return_address(0));
    child = real();
    is_forked_by_boxfort = 0;
    return child;
}

/* Each child of a fork waits until it is watched. Once they have used up their share they just run. */
static void after_fork(void) {
    long start = now_ms(CLOCK_MONOTONIC);
    if (is_enough() || starts_anew())
        return;
    if (is_over_share()) {
        count("let-go", 1);
        return;
    }
    get_watched();
    count("forks", (now_ms(CLOCK_MONOTONIC) - start) / UNIT_MS + 1);
}

static void make_key(void) {
    struct stat status;
    uint64_t hash = 14695981039346656037u; /* FNV-1a; gdb looks itself whether the file is the same */
    if (stat("/proc/self/exe", &status) == 0) {
        const uint64_t parts[] = {status.st_dev, status.st_ino, (uint64_t)status.st_size,
                                  (uint64_t)status.st_mtim.tv_sec, (uint64_t)status.st_mtim.tv_nsec};
        for (size_t i = 0; i < sizeof parts; i++)
            hash = (hash ^ ((const unsigned char *)parts)[i]) * 1099511628211u;
    }
    snprintf(key, sizeof key, "%016llx", (unsigned long long)hash);
}

__attribute__((constructor)) static void begin(void) {
    char program[PATH_MAX];
    const char *preloaded = getenv("LD_PRELOAD");
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || getenv(FOLDER) == NULL)
        return;
    program[length] = 0;
    /* Under valgrind the code that runs is not the code that gdb sees. */
    if ((preloaded != NULL && strstr(preloaded, "vgpreload") != NULL) || !read_watch())
        return;
    if (!is_of_system(program) && (holds_name(program) || dl_iterate_phdr(holds_watched, NULL))) {
        pthread_atfork(NULL, NULL, after_fork); /* gdb lets go of a child: it gets its own */
        make_key();
        if (getcwd(started_in, sizeof started_in) == NULL)
            strcpy(started_in, "/");
        note_start();
        is_asking = 1;
        on_exit(on_end, NULL); /* the first is the last that is called */
        get_watched();
    }
}
