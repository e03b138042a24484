// Preloaded into a server: keeps the files of the folder DISK_FOLDER in DISK_KEPT as they were at their last sync,
// which is what a power cut would leave, and fails as the file DISK_KEPT/fault says: "sync" (syncs fail with EIO) or
// "full" (no file grows: ENOSPC).

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

const char* folder() { return std::getenv("DISK_FOLDER"); }
const char* kept() { return std::getenv("DISK_KEPT"); }

template <typename F>
F next(const char* name) {
    return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

// The path of an open file below the folder, from its slash on; the folder itself is "". Null for others.
const char* watched(int fd, char (&path)[4096]) {
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    const ssize_t length = readlink(link.c_str(), path, sizeof path - 1);
    if (folder() == nullptr || length < 0) return nullptr;
    path[length] = 0;
    const size_t prefix = std::strlen(folder());
    return std::strncmp(path, folder(), prefix) == 0 ? path + prefix : nullptr;
}

bool fails(const char* how) {
    char said[8] = {};
    const int fd = open((std::string(kept()) + "/fault").c_str(), O_RDONLY);
    if (fd < 0) return false;
    const ssize_t length = read(fd, said, sizeof said - 1);
    close(fd);
    return length > 0 && std::strncmp(said, how, std::strlen(how)) == 0;
}

void keep(const char* path, const std::string& name) {
    const std::string copy = kept() + name, half = copy + ".half";
    const int from = open(path, O_RDONLY), to = open(half.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    static thread_local char buffer[1 << 16];
    const auto put = next<ssize_t (*)(int, const void*, size_t)>("write");
    for (ssize_t got; (got = read(from, buffer, sizeof buffer)) > 0;)
        if (put(to, buffer, static_cast<size_t>(got)) != got) abort();
    close(from);
    close(to);
    rename(half.c_str(), copy.c_str());
}

// A folder is synced: what was removed from it is gone for good.
void keep_removals() {
    DIR* all = opendir(kept());
    while (const dirent* each = readdir(all)) {
        const std::string name = std::string("/") + each->d_name;
        if (name[1] != '.' && name != "/fault" && access((folder() + name).c_str(), F_OK) != 0)
            unlink((kept() + name).c_str());
    }
    closedir(all);
}

int sync(int fd, const char* call) {
    char path[4096];
    const char* name = watched(fd, path);
    if (name != nullptr && fails("sync")) {
        errno = EIO;
        return -1;
    }
    const int done = next<int (*)(int)>(call)(fd);
    if (name == nullptr || done != 0) return done;
    if (*name == 0)
        keep_removals();
    else
        keep(path, name);
    return 0;
}

bool is_full(int fd, off_t end) {
    char path[4096];
    struct stat found;
    if (watched(fd, path) == nullptr || !fails("full") || fstat(fd, &found) != 0 || end <= found.st_size) return false;
    errno = ENOSPC;
    return true;
}

}  // namespace

extern "C" {

int fsync(int fd) { return sync(fd, "fsync"); }
int fdatasync(int fd) { return sync(fd, "fdatasync"); }

ssize_t write(int fd, const void* data, size_t size) {
    if (is_full(fd, lseek(fd, 0, SEEK_CUR) + static_cast<off_t>(size))) return -1;
    return next<ssize_t (*)(int, const void*, size_t)>("write")(fd, data, size);
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
    if (is_full(fd, at + static_cast<off_t>(size))) return -1;
    return next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite")(fd, data, size, at);
}

ssize_t pwrite64(int fd, const void* data, size_t size, off_t at) { return pwrite(fd, data, size, at); }
}
